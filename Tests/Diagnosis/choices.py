"""Resolves the choices of a Swift text: each `planted(n)` becomes true or false, and the code around it simpler."""

import re
from dataclasses import dataclass

from swift_text import ASSIGNMENTS, CHOICE, Source, SwiftError

FIRST = 0xE000
CALL = re.compile(r"(?:\b\w+\.)?\bplanted\s*\(")
PREFIXES = {"try", "await"}
KEYWORDS = {"if", "while", "guard", "where", "switch", "return", "in", "else", "case", "throw"}
HEADS = {"if", "while", "guard", "where", "for", "switch"}  # words whose expression a block ends


@dataclass
class Call:
    """A call of `planted` in the text as it was."""

    number: int
    offset: int


def calls(source):
    """The calls of `planted` in a text, each with its match; its declaration is none."""
    found = []
    for match in source.matches(CALL):
        if re.search(r"\bfunc\s+$", source.text[:match.start()]):
            continue
        start, end = source.inside(match.end() - 1)
        argument = source.text[start:end].strip()
        if not argument.isdigit():
            raise SwiftError(f"planted({argument}) has no number", match.start())
        found.append((match, Call(int(argument), match.start())))
    return found


class Choices:
    """A Swift text while its choices are resolved, one simplification at a time.

    In the text a choice is a private character; its lowest bit is the value.
    """

    def __init__(self, text, values, kept):
        """Takes the value of each number, and the number whose sites keep their shape, so that they can be compared."""
        if CHOICE.search(text):
            raise SwiftError("it has private characters", CHOICE.search(text).start())
        source = Source(text)
        found = calls(source)
        self.calls = [call for _, call in found]
        self.kept = kept
        self.touched = set()  # words of code that went
        for index, (match, call) in reversed(list(enumerate(found))):
            end = source.mates[match.end() - 1] + 1
            text = text[:match.start()] + chr(FIRST + 2 * index + values(call.number)) + text[end:]
        self.source = Source(text)

    def resolve(self):
        """Resolves all of them and gives the text."""
        while match := CHOICE.search(self.text):
            call = self.calls[(ord(match[0]) - FIRST) // 2]
            try:
                Step(self, match.start()).take()
            except SwiftError as error:
                message = f"planted({call.number}) cannot be resolved: {error}"
                raise SwiftError(message, call.offset) from error
        return self.text

    @property
    def text(self):
        return self.source.text

    def is_kept(self, choice):
        return self.calls[(ord(choice) - FIRST) // 2].number == self.kept

    def replace(self, start, end, new):
        """Replaces a part of the text, and notes the words that went with it."""
        gone = self.source.words(start, end)
        self.source = Source(self.text[:start] + new + self.text[end:])
        stayed = self.source.words(start, start + len(new))
        self.touched.update(word for word in gone if gone.count(word) > stayed.count(word))

    def delete(self, start, end):
        """Deletes a statement: with its lines and the comments right above, where nothing else stands on them."""
        first, last = self.source.line(start)[0], self.source.line(end)[1]
        rest = self.text[end:last].strip()
        if self.text[first:start].strip() or (rest and not rest.startswith("//")):
            separator = re.match(r"[ \t]*;?[ \t]*", self.text[end:])
            self.replace(start, end + separator.end(), "")
        else:
            self.replace(*lines(self.source, start, end, above="//"), "")

    def unwrap(self, start, end, block):
        """Replaces a statement by what a block of it holds."""
        source, text = self.source, self.text
        begin, stop = source.inside(block)
        self._check_names(start, end, begin, stop)
        inner = text[begin:stop]
        if not inner.strip():
            self.delete(start, end)
            return
        if "\n" not in inner:
            self._join(start, end, inner.strip())
            return
        inner = inner.strip("\n").rstrip()
        shift = min(indent(line) for line in inner.split("\n") if line.strip()) - source.indent(start)
        self._join(start, end, shifted(inner.lstrip(), shift))

    def _check_names(self, start, end, begin, stop):
        """Checks that no name of the block's own is one of the block around it too."""
        outer = self.source.inside(self.source.enclosing(start))
        declared = declarations(self.source, begin, stop)
        around = declarations(self.source, outer[0], start) | declarations(self.source, end, outer[1])
        if declared & around:
            raise SwiftError(f"{', '.join(sorted(declared & around))} would be declared twice", start)

    def _join(self, start, end, new):
        """Replaces a statement, and makes one of a declaration right above and what is now its first assignment."""
        above = re.search(r"\b(?:let|var) (\w+): [^=\n{/]+\n[ \t]*$", self.text[:start])
        if above and self.source.is_code(above.start()) and re.match(rf"{above[1]} = ", new):
            start, new = len(self.text[:start].rstrip()), new[len(above[1]):]
        self.replace(start, end, new)


def lines(source, start, end, above):
    """The bounds of the lines of a part that goes, with lines above that begin so, and blank ones that are too many."""
    text, first, last = source.text, source.line(start)[0], min(source.line(end)[1] + 1, len(source.text))
    while first > 0 and text[slice(*source.line(first - 1))].lstrip().startswith(above):
        first = source.line(first - 1)[0]
    if re.search(r"(^|\n|\{)[ \t]*\n$", text[:first]):
        last += re.match(r"([ \t]*\n)*", text[last:]).end()
    if re.match(r"[ \t]*(\}|$)", text[last:]):
        first -= len(re.search(r"(?<=\n)([ \t]*\n)*$|^$", text[:first])[0])
    return first, last


def shifted(text, shift):
    """The text with the lines behind its first one moved to the left."""
    first, *lines = text.split("\n")
    return "\n".join([first] + [line[min(max(shift, 0), indent(line)):] for line in lines])


def indent(line):
    """The number of blanks that a line begins with."""
    return len(line) - len(line.lstrip())


def declarations(source, start, end):
    """The names that are declared right between two offsets, not in a bracket there."""
    tokens = source.tokens(start, end)
    return {
        following.text for token, following in zip(tokens, tokens[1:])
        if token.text in ("let", "var", "func") and following.kind == "word"
        and not (token.start > start and re.search(r"\b(if|guard|while|case|,)\s*$", source.text[start:token.start]))
    }


class Step:
    """One simplification, at the first choice of a text."""

    def __init__(self, choices, position):
        self.choices = choices
        self.source = choices.source
        self.position = position
        self.value = ord(choices.text[position]) & 1
        self.opening = self.source.enclosing(position)
        self.tokens = self.source.tokens(*self.source.inside(self.opening))
        self.index = next(i for i, token in enumerate(self.tokens) if token.start == position)

    @property
    def choice(self):
        return self.choices.text[self.position]

    def token(self, index):
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    @property
    def before(self):
        return self.token(self.index - 1)

    @property
    def after(self):
        return self.token(self.index + 1)

    def take(self):
        if self.before and self.before.text == "!" and self.before.end == self.position:
            self.choices.replace(self.before.start, self.position + 1, chr(ord(self.choice) ^ 1))
        elif len(self.tokens) == 1 and self.source.is_grouping(self.opening):
            self.choices.replace(self.opening, self.source.mates[self.opening] + 1, self.choice)
        elif self.after and self.after.is_ternary:
            self._ternary()
        elif self._logical("&&", ends=("||",)) or self._logical("||", ends=()):
            pass
        elif self.before and self.before.text in PREFIXES:
            self.choices.replace(self.before.start, self.position, "")
        elif not self._condition():
            self._literal()

    # Bounds of an expression

    def _is_left_bound(self, token):
        return (
            token is None or token.kind == "newline" or token.text in KEYWORDS | PREFIXES | ASSIGNMENTS
            or token.text in (",", ";", ":") or token.is_ternary)

    def _is_right_bound(self, token):
        return (
            token is None or token.kind == "newline" or token.text in (",", ";", ":", "else", "while", "where")
            or token.is_ternary or (token.is_block and self._head is not None))

    @property
    def _head(self):
        """The index of the `if` or another word whose condition the choice is in."""
        if self.opening is not None and self.source.text[self.opening] != "{":
            return None
        for index in range(self.index - 1, -1, -1):
            token = self.tokens[index]
            if token.text in HEADS:
                return index
            if token.kind == "newline" or token.text == ";" or token.is_block:
                return None
        return None

    def _end(self, index, *ends):
        """The index behind an expression that goes on at an index: of a bound, or of one of these operators."""
        while not self._is_right_bound(self.token(index)) and self.token(index).text not in ends:
            index += 1
        return index

    # Forms

    def _ternary(self):
        if not self._is_left_bound(self.before):
            raise SwiftError(f"it stands behind “{self.before.text}”")
        colon = self._colon(self.index + 1)
        end = self._end(colon + 1)
        while self.token(end) is not None and self.token(end).is_ternary:
            end = self._end(self._colon(end) + 1)
        branch = self.tokens[self.index + 2:colon] if self.value else self.tokens[colon + 1:end]
        if not branch:
            raise SwiftError("a branch is empty")
        shift = self.source.indent(branch[0].start) - self.source.indent(self.position)
        new = shifted(self.choices.text[branch[0].start:branch[-1].end], shift)
        start, stop = self.position, self.tokens[end - 1].end
        Replacement(self.choices, start, stop, new, self.choices.is_kept(self.choice)).make()

    def _colon(self, ternary):
        """The index of the colon that belongs to a question mark."""
        depth = 0
        for index in range(ternary + 1, len(self.tokens)):
            token = self.tokens[index]
            if token.kind == "newline":
                break
            if token.text == ":" and depth == 0:
                return index
            depth += token.is_ternary - (token.text == ":")
        raise SwiftError("there is no “:” for its “?”")

    def _logical(self, operator, ends):
        """Resolves the choice as an operand of `&&` or `||`; the operators that bind less end an operand."""
        ends = (operator,) + ends
        is_left = self.after is not None and self.after.text == operator
        is_right = self.before is not None and self.before.text == operator
        if is_left and (self._is_left_bound(self.before) or self.before.text in ends):
            start, end = self.index, self._end(self.index + 2, *ends)
            rest = self.token(self.index + 2).start, self.tokens[end - 1].end
        elif is_right and (self._is_right_bound(self.after) or self.after.text in ends):
            start, end = self.index - 2, self.index + 1
            while not self._is_left_bound(self.token(start - 1)) and self.token(start - 1).text not in ends:
                start -= 1
            rest = self.tokens[start].start, self.token(self.index - 2).end
        else:
            return False
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        if bool(self.value) == (operator == "||"):
            self.choices.replace(first, last, self.choice)
        else:
            new = self.choices.text[slice(*rest)]
            is_whole = self._is_left_bound(self.token(start - 1)) and self._is_right_bound(self.token(end))
            if is_whole and self.source.is_grouping(rest[0]) and self.source.mates[rest[0]] + 1 == rest[1]:
                new = new[1:-1]
            if start == 0 and end == len(self.tokens):
                Replacement(self.choices, first, last, new, is_kept=True).make()
            else:
                self.choices.replace(first, last, new)
        return True

    def _condition(self):
        """Resolves the choice as a clause of a condition, if it is one."""
        head = self._head
        if head is None or not (self.before.text == "," or self.index - 1 == head):
            return False
        if not self._is_right_bound(self.after) or (self.after is not None and self.after.is_ternary):
            return False
        is_only = self.index - 1 == head and not (self.after and self.after.text == ",")
        if not is_only:
            self._clause(head)
        elif self.tokens[head].text == "if":
            self._if(head)
        elif self.tokens[head].text == "while":
            self._while(head)
        elif self.value and self.tokens[head].text == "where":
            self.choices.replace(self.tokens[head - 1].end, self.position + 1, "")
        elif self.value and self.tokens[head].text == "guard":
            self._check_statement(head)
            self.choices.delete(self.tokens[head].start, self.token(self.index + 2).end)
        else:
            raise SwiftError(f"its “{self.tokens[head].text}” would be of no use")
        return True

    def _clause(self, head):
        """Drops a clause that is true, and all others of a condition in which one is false."""
        if not self.value:
            end = self.index
            while self.token(end) is not None and not self.token(end).is_block and self.token(end).text != "else":
                end += 1
            self.choices.replace(self.token(head + 1).start, self.tokens[end - 1].end, self.choice)
        elif self.before.text == ",":
            self.choices.replace(self.before.start, self.position + 1, "")
        else:
            self.choices.replace(self.position, self.token(self.index + 2).start, "")

    def _check_statement(self, start):
        before = self.token(start - 1)
        if not (before is None or before.kind == "newline" or before.text in (";", "in")):
            raise SwiftError(f"“{self.tokens[start].text}” is no statement of its own")

    def _if(self, head):
        choices, tokens, block = self.choices, self.tokens, self.index + 1
        is_chained = self.token(head - 1) is not None and self.tokens[head - 1].text == "else"
        if not is_chained:
            self._check_statement(head)
        has_else = self.token(block + 1) is not None and self.token(block + 1).text == "else"
        end = block
        while self.token(end + 1) is not None and self.token(end + 1).text == "else":
            end += 2
            while not self.token(end).is_block:
                end += 1
        start, stop = tokens[head].start, tokens[end].end
        if self.value and is_chained:
            choices.replace(start, stop, tokens[block].text)
        elif self.value:
            choices.unwrap(start, stop, tokens[block].start)
        elif is_chained:
            choices.replace(tokens[head - 2].end, tokens[block].end, "")
        elif not has_else:
            choices.delete(start, stop)
        elif tokens[block + 2].is_block:
            choices.unwrap(start, stop, tokens[block + 2].start)
        else:
            choices.replace(start, tokens[block + 2].start, "")

    def _while(self, head):
        repeated = self.token(head - 1)
        if repeated is not None and repeated.is_block and self.tokens[head - 2].text == "repeat":
            start, end = self.tokens[head - 2].start, self.position + 1
            self._check_statement(head - 2)
            if self.value:
                self.choices.replace(self.position, end, "true")
            elif {"break", "continue"} & set(self.source.words(repeated.start, repeated.end)):
                raise SwiftError("its loop is left by break or continue")
            else:
                self.choices.unwrap(start, end, repeated.start)
        elif self.value:
            self.choices.replace(self.position, self.position + 1, "true")
        else:
            self._check_statement(head)
            self.choices.delete(self.tokens[head].start, self.after.end)

    def _literal(self):
        """Writes the choice as a literal where it is a whole value."""
        is_value = self.before is None or self.before.text in ASSIGNMENTS | {",", ":", "return", "in"}
        if self.after is not None and self.after.text not in (",", ";") and self.after.kind != "newline":
            is_value = False
        if self.before is None and self.opening is None or self.source.is_interpolation(self.opening):
            is_value = False
        if not is_value:
            raise SwiftError("its form is not known")
        self.choices.replace(self.position, self.position + 1, "true" if self.value else "false")


class Replacement:
    """The expression that a ternary operator becomes, in what is around it."""

    def __init__(self, choices, start, end, new, is_kept):
        self.choices, self.source = choices, choices.source
        self.start, self.end, self.new, self.is_kept = start, end, new, is_kept

    def make(self):
        self._leave_parentheses()
        if not self._leave_interpolation():
            self._leave_neutral()
            self._leave_line()
        self.choices.replace(self.start, self.end, self.new)
        if not self.is_kept:
            self._leave_alias()

    def _place(self):
        """The bracket around the expression, its tokens, and the indexes of the first and behind the last of it."""
        opening = self.source.enclosing(self.start)
        tokens = self.source.tokens(*self.source.inside(opening))
        inside = [index for index, token in enumerate(tokens) if self.start <= token.start < self.end]
        return opening, tokens, inside[0], inside[-1] + 1

    def _leave_parentheses(self):
        """Drops parentheses that hold nothing else, where they do not keep it together."""
        while True:
            opening, tokens, first, last = self._place()
            if not self.source.is_grouping(opening) or first > 0 or last < len(tokens):
                return
            before = self.start, self.end
            self.start, self.end = opening, self.source.mates[opening] + 1
            _, tokens, first, last = self._place()
            around = [tokens[i] if 0 <= i < len(tokens) else None for i in (first - 1, last)]
            is_alone = all(
                token is None or token.kind == "newline" or token.text in ASSIGNMENTS | {",", ";", ":", "return"}
                for token in around)
            if not is_alone and not self._is_simple():
                self.start, self.end = before
                return

    def _is_simple(self):
        """Says whether the expression is of one operand."""
        tokens = Source(self.new).tokens(0, len(self.new))
        return tokens[0].text not in "!-~&" and not any(
            token.kind == "newline" or token.text in PREFIXES | {"as", "is"}
            or token.kind == "operator" and token.is_spaced and token.start > 0 for token in tokens)

    def _leave_interpolation(self):
        """Writes a text that is interpolated into another one as a part of that, and says whether it was one."""
        opening, tokens, first, last = self._place()
        if not self.source.is_interpolation(opening) or first > 0 or last < len(tokens):
            return False
        outer = re.search(r"\\#*$", self.choices.text[:opening])
        match = re.fullmatch(r'(#*)"(?!"")((?:[^"\\]|\\.)*)"\1', self.new)
        if match is None or "\n" in self.new or ("\\" in match[2] and len(match[1]) != len(outer[0]) - 1):
            return False
        self.start, self.end, self.new = outer.start(), self.source.mates[opening] + 1, match[2]
        return True

    def _leave_neutral(self):
        """Drops `+ 0`, `+ ""` and `* 1`."""
        neutral = {"0": ("+", "-"), '""': ("+",), "1": ("*",)}.get(self.new)
        if neutral is None:
            return
        _, tokens, first, last = self._place()
        before = tokens[first - 1] if first > 0 else None
        after = tokens[last] if last < len(tokens) else None
        binds_more = after is not None and after.text in ("*", "/", "%")
        if before is not None and before.text in neutral and before.is_spaced and not (binds_more and self.new != "1"):
            self.start, self.new = tokens[first - 2].end, ""
        elif after is not None and after.text == neutral[0] and (before is None or before.text in ASSIGNMENTS):
            self.end, self.new = tokens[last + 1].start, ""

    def _leave_line(self):
        """Begins the expression on the line of what it is assigned to, and lets `try` stand once."""
        _, tokens, first, _ = self._place()
        before = tokens[first - 1] if first > 0 else None
        if before is None:
            return
        if before.text in PREFIXES and self.new.startswith(before.text + " "):
            self.new = self.new[len(before.text) + 1:]
        elif before.text in ASSIGNMENTS and self.choices.text[before.end:self.start].strip(" \t") == "\n":
            shift = self.source.indent(self.start) - self.source.indent(before.start)
            self.start, self.new = before.end, " " + shifted(self.new, shift)

    def _leave_alias(self):
        """Uses a constant itself where the expression's own name would be just another one for it."""
        source, text = self.choices.source, self.choices.text
        first, last = source.line(self.start)
        match = re.fullmatch(r"[ \t]*let (\w+)(: [^=]+)? = ([A-Za-z_]\w*)", text[first:last])
        if match is None or match[3] != self.new:
            return
        alias, kind, name = match[1], match[2] or "", match[3]
        scope = source.inside(source.enclosing(self.start))
        if not any(
            source.is_code(found.start()) and source.inside(source.enclosing(found.start()))[1] >= scope[1]
            for found in re.finditer(rf"\blet {name}{re.escape(kind) or '(: [^=]+)?'} = ", text[:first])
        ) or name in declarations(source, last, scope[1]):
            return
        for use in reversed(uses(source, alias, last, scope[1])):
            self.choices.replace(use, use + len(alias), name)
        self.choices.delete(first + indent(text[first:last]), last)


def uses(source, name, start, end):
    """Where the code between two offsets uses a name: as no label of an argument, and as no member of something."""
    found = []
    for match in source.matches(rf"(?<![.\w]){name}\b(?!`)", start, end):
        opening = source.enclosing(match.start())
        is_list = opening is not None and source.text[opening] == "("
        if not (is_list and re.match(r":(?!:)", source.text[match.end():])):
            found.append(match.start())
    return found
