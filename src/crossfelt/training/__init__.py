"""What is practised: drills for the dealer's side, generated from the rulebooks.

A question is data (`question.Question`), and the same for a terminal, a browser and a test. It is worked out from a
game, the kind of drill, a subject and a number alone: the same four give the same question, so that nobody has to keep
it.

    from crossfelt.training import ask, mark, subjects
    subjects(game, "pay")                       # what can be practised: ("ante_across.royal_flush", …)
    question = ask(game, "pay", "middle.flush", number=7)
    mark(question, "175").right                 # what was typed, or clicked, as text

A question holds

- ``id``: rulebook, kind, subject and number, ``nj-criss-cross/pay/middle.flush/7``; ``topic`` is the id without the
  number, and what progress is kept of;
- ``asks``: the question in a sentence;
- ``shown``: what lies there, a list of items told apart by ``type``: ``cards`` (with a place, a label, the cards as
  text: ``Ks``, ``Jk``, ``??``), ``chips`` (a stake on a betting area, cut into chips of real values) and ``note``
  (a sentence);
- ``answer``: how it is answered, told apart by ``type``: ``choose`` (one of ``options``, by number), ``amount``
  (dollars), ``arrange`` (the numbers of all ``items`` in order) and ``pick`` (so many of ``cards``);
- ``right``: every answer that is right, as text in the form that `mark` gives an answer: ``"3"``, ``"17500"`` (cents),
  ``"2 1 3"``, ``"Kc 8d"``. There is more than one only for cards that are worth the same;
- ``explanation``: why, in a sentence or two, with the clauses, adopted readings and house rule it rests on.

`Question.face` is the same without ``right`` and ``explanation``, for a page that must not know them yet. Whatever is
right comes from the table engine, the games or the re-settlement: no drill knows a rule of its own.

`progress` keeps what was missed and when it is due again, `drawing` makes a set of it. The JSON Schema is
``docs/training.schema.json``.
"""

from crossfelt.training.drawing import draw_set
from crossfelt.training.drills import ask, find, kinds_of, subjects
from crossfelt.training.marking import Marked, mark
from crossfelt.training.question import Face, Question, schema

__all__ = ["Face", "Marked", "Question", "ask", "draw_set", "find", "kinds_of", "mark", "schema", "subjects"]
