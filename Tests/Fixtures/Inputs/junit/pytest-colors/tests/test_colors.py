import pytest


def test_compares():
    print("\x1b[1;32mgreen\x1b[0m and a bell \x07")
    assert {"a": 1, "b": [1, 2]} == {"a": 1, "b": [1, 3]}


def test_raises():
    raise ValueError("no \x1b[31mred\x1b[0m orders")


@pytest.mark.skip(reason="\x1b[33mnot\x1b[0m today")
def test_skipped():
    pass
