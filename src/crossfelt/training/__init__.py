"""Drills for dealers, generated from the rulebooks.

A question is data (`question.Question`), the same for the terminal, the browser and a test. It depends only on a game,
the kind of drill, a subject and a number: the same four give the same question, so questions are not stored.

    from crossfelt.training.answers import grade
    from crossfelt.training.question_set import ask, subjects
    subjects(game, "pay")                       # subjects of a drill: ("ante.royal_flush", …)
    question = ask(game, "pay", "ante.royal_flush", number=7)
    grade(question, "175").right                 # the typed answer, as text

A question holds

- ``id``: rulebook, kind, subject and number, ``mississippi-stud/pay/ante.flush/7``; ``topic`` is the id without the
  number, and the key of progress;
- ``asks``: the question or task in a sentence;
- ``shown``: items on the table, distinguished by ``type``: ``cards`` (with a place, a label, the cards as
  text: ``Ks``, ``Jk``, ``??``), ``chips`` (a stake on a betting area, cut into chips of real values) and ``note``
  (a sentence);
- ``answer``: the form of the answer, by ``type``: ``choose`` (one of ``options``, by number), ``amount``
  (dollars), ``arrange`` (the numbers of all ``items`` in order) and ``pick`` (``count`` of ``cards``);
- ``right``: every answer that is right, as text in the form that `grade` gives an answer: ``"3"``, ``"17500"`` (cents),
  ``"2 1 3"``, ``"Kc 8d"``. Several answers are right only for cards of equal value;
- ``explanation``: the reason in a sentence or two, with its clauses, adopted readings and house rule.

`Question.face` omits ``right`` and ``explanation``, for a page that must not contain them yet. The
right answer comes from the table engine, the games or the second settlement; no drill has rules of its own.

`progress` stores missed topics and due times; `question_set` draws a set from them. The JSON Schema is
``docs/training.schema.json``.
"""
