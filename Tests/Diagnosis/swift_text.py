"""Reads Swift text as far as its brackets, texts and comments: what is code, and of which tokens an expression is."""

import bisect
import re
from dataclasses import dataclass

OPENING = {")": "(", "]": "[", "}": "{"}
QUOTE = re.compile(r'(#*)("""|")')
COMMENT = re.compile(r"//[^\n]*|/\*")
WORD = re.compile(r"[\w`@#$]+")
OPERATOR = re.compile(r"&&|\|\||\?\?|\.\.[.<]|->|===|!==|[=!<>]=|<<=|>>=|[-+*/%&|^]=|.", re.DOTALL)
CHOICE = re.compile("[\uE000-\uF8FF]")
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


class SwiftError(Exception):
    """Text that cannot be read or resolved, at an offset of the text."""

    def __init__(self, message, offset=None):
        super().__init__(message)
        self.offset = offset


@dataclass
class Token:
    """A word, an operator, a bracket with all in it, a text, a choice (a private character), or a line's end."""

    kind: str
    start: int
    end: int
    text: str
    is_spaced: bool  # white space stands before it

    @property
    def is_ternary(self):
        return self.text == "?" and self.is_spaced

    @property
    def is_block(self):
        return self.kind == "group" and self.text[0] == "{"


class Source:
    """A Swift text with its brackets matched."""

    def __init__(self, text):
        self.text = text
        self.kinds = ["c"] * len(text)  # of each character: code, text or comment
        self.mates = {}  # opening bracket to closing one
        self.texts = {}  # a text's first character to the end behind it
        self._code(0, None)
        self._opened = sorted(self.mates)

    # Reading

    def _mark(self, kind, start, end):
        self.kinds[start:end] = kind * (end - start)

    def _code(self, at, interpolation):
        """Reads code to its end, or to the bracket that closes the interpolation."""
        text, opened = self.text, []
        while at < len(text):
            character = text[at]
            if character in "/#\"":
                if match := COMMENT.match(text, at):
                    end = match.end() if match[0] != "/*" else self._comment(at)
                    self._mark("#", at, end)
                    at = end
                    continue
                if QUOTE.match(text, at):
                    at = self._string(at)
                    continue
            elif character in "([{":
                opened.append(at)
            elif character in ")]}":
                if not opened and interpolation is not None and character == ")":
                    return at
                if not opened or text[opened[-1]] != OPENING[character]:
                    raise SwiftError(f"“{character}” closes nothing", at)
                self.mates[opened.pop()] = at
            at += 1
        if opened or interpolation is not None:
            raise SwiftError("a bracket is never closed", opened[0] if opened else interpolation)
        return at

    def _comment(self, start):
        depth, at = 0, start
        while at < len(self.text):
            if self.text.startswith("/*", at):
                depth, at = depth + 1, at + 2
            elif self.text.startswith("*/", at):
                depth, at = depth - 1, at + 2
                if depth == 0:
                    return at
            else:
                at += 1
        raise SwiftError("a comment has no end", start)

    def _string(self, start):
        text = self.text
        match = QUOTE.match(text, start)
        closing, escape = match[2] + match[1], "\\" + match[1]
        begin, at = start, match.end()
        while at < len(text) and (match[2] != '"' or text[at] != "\n"):
            if text.startswith(closing, at):
                self._mark("s", begin, at + len(closing))
                self.texts[start] = at + len(closing)
                return at + len(closing)
            if not text.startswith(escape, at):
                at += 1
            elif text.startswith("(", at + len(escape)):
                opening = at + len(escape)
                self._mark("s", begin, opening)
                self.mates[opening] = self._code(opening + 1, opening)
                begin = at = self.mates[opening] + 1
            else:
                at += len(escape) + 1
        raise SwiftError("a text has no end", start)

    # Looking up

    def line(self, offset):
        """The start and the end of the line at an offset, its line break not counted."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end

    def indent(self, offset):
        start, end = self.line(offset)
        line = self.text[start:end]
        return len(line) - len(line.lstrip())

    def is_code(self, offset):
        return self.kinds[offset] == "c"

    def matches(self, pattern, start=0, end=None):
        """The matches of a pattern that begin in code."""
        found = re.compile(pattern).finditer(self.text, start, len(self.text) if end is None else end)
        return [match for match in found if self.is_code(match.start())]

    def words(self, start=0, end=None):
        """The words of the code between two offsets."""
        return [match[0] for match in self.matches(r"\b[A-Za-z_]\w*", start, end)]

    def enclosing(self, offset):
        """The innermost bracket around an offset, or nothing."""
        for opening in reversed(self._opened[:bisect.bisect_left(self._opened, offset)]):
            if self.mates[opening] >= offset:
                return opening
        return None

    def inside(self, opening):
        """The start and the end of what a bracket holds; of the whole text without one."""
        return (0, len(self.text)) if opening is None else (opening + 1, self.mates[opening])

    def is_grouping(self, opening):
        """Says whether a parenthesis only groups: it calls nothing, and is no interpolation."""
        if opening is None or self.text[opening] != "(":
            return False
        before = self.text[:opening]
        if re.search(r"(^|\W)(if|while|return|in)$", before):
            return True
        return not re.search(r"([\w)\]}>?`#\"]|[\w)\]]!)$", before) and not self.is_interpolation(opening)

    def is_interpolation(self, opening):
        return opening is not None and opening > 0 and self.kinds[opening - 1] == "s"

    def tokens(self, start, end):
        """The tokens between two offsets, brackets whole; of line breaks only those that end a statement."""
        found, at, is_spaced = [], start, True
        while at < end:
            if self.kinds[at] == "#" or self.text[at] in " \t":
                is_spaced, at = True, at + 1
                continue
            if at in self.texts:
                kind, stop = "text", self.texts[at]
            elif at in self.mates:
                kind, stop = "group", self.mates[at] + 1
            elif self.text[at] == "\n":
                kind, stop = "newline", at + 1
            elif CHOICE.match(self.text, at):
                kind, stop = "choice", at + 1
            elif match := WORD.match(self.text, at):
                kind, stop = "word", match.end()
            else:
                kind, stop = "operator", OPERATOR.match(self.text, at).end()
            found.append(Token(kind, at, stop, self.text[at:stop], is_spaced))
            at, is_spaced = stop, kind == "newline"
        is_list = start > 0 and self.text[start - 1] in "(["
        return self._statements(found, is_list)

    def _statements(self, tokens, is_list):
        kept = []
        for index, token in enumerate(tokens):
            if token.kind == "newline":
                following = next((other for other in tokens[index:] if other.kind != "newline"), None)
                if is_list or not kept or following is None or kept[-1].kind == "newline":
                    continue
                if self._goes_on(kept[-1]) or self._continues(following):
                    continue
            kept.append(token)
        return kept

    def _goes_on(self, token):
        """Says whether the statement goes on behind this token, the last of its line."""
        return token.kind == "operator" and (token.is_spaced or token.text in ",:(") and token.text != ";"

    def _continues(self, token):
        """Says whether this token, the first of its line, goes on with the statement before."""
        is_binary = token.kind == "operator" and self.text[token.end:token.end + 1].isspace()
        return token.text in (".", "else", "?.") or token.is_block or (is_binary and token.text != ";")
