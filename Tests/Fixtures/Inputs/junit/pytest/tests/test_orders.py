import pathlib
import sys
import pytest


def test_passes():
    print("printed while passing")


def test_fails():
    print("to standard output \x1b[31mred\x1b[0m")
    print("to standard error", file=sys.stderr)
    assert {"a": 1, "b": "<&>"} == {"a": 2, "b": "<&>"}


def test_raises():
    raise ValueError("no \x00 such & <order>")


@pytest.mark.skip(reason="not today")
def test_skipped():
    pass


@pytest.mark.xfail(reason="to be fixed")
def test_expected():
    assert 1 == 2


@pytest.mark.xfail(strict=True, reason="fixed already")
def test_unexpected():
    pass


@pytest.mark.parametrize("text", ["a", "b.c", "ü / \"q\""])
def test_parameters(text):
    assert text != "b.c"


@pytest.fixture
def broken():
    raise RuntimeError("set-up")


def test_set_up(broken):
    pass


@pytest.fixture
def tears():
    yield
    raise RuntimeError("tear-down")


def test_tear_down(tears):
    assert False, "body"


def test_recorded(record_property, tmp_path):
    record_property("ticket", "EX-1")
    here = pathlib.Path(__file__).parent.parent
    (here / "shot.txt").write_text("shown")
    print("[[ATTACHMENT|shot.txt]]")
    print("[[ATTACHMENT|../outside.txt]]")
    assert False


class TestStore:
    def test_inside(self):
        assert True
