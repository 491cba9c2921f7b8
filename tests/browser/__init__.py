"""The pages in a real browser, which is started once for all of these tests."""
