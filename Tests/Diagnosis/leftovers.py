"""Cleans what resolved choices leave: variables that nothing uses or changes, and comments that tell."""

import itertools
import re

from choices import lines, uses
from swift_text import Source

TELLING = re.compile(
    r"planted|KEY\.md|on purpose|\b(bugs?|faulty|wrong|mended|broken)\b|\b(is|are) (right|correct)\b", re.IGNORECASE)
LEFT = re.compile(r"planted|KEY\.md|on purpose", re.IGNORECASE)


def without_telling_comments(text):
    """The text without comments that tell, each with its line where nothing else stands there."""
    source = Source(text)
    for match in reversed(list(re.finditer(r"//[^\n]*", text))):
        start, (first, last) = match.start(), source.line(match.start())
        is_comment = source.kinds[start] == "#" and (start == 0 or source.kinds[start - 1] != "#")
        if is_comment and TELLING.search(match[0]):
            is_alone = not text[first:start].strip()
            text = text[:first] + text[last + 1:] if is_alone else text[:start].rstrip() + text[last:]
    return text


class Leftovers:
    """What is left around choices that were resolved."""

    def __init__(self, choices):
        self.choices = choices

    def clean(self):
        """Cleans until nothing changes any more; what goes can leave something else."""
        cleaned = None
        while cleaned != self.choices.text:
            cleaned = self.choices.text
            for name in sorted(self.choices.touched):
                self._clean(name)
        return cleaned

    def _clean(self, name):
        source = self.choices.source
        for match in reversed(source.matches(rf"\b(let|var) {name}\b")):
            if source.text[source.line(match.start())[0]:match.start()].strip() or not is_local(source, match.start()):
                continue
            scope = source.inside(source.enclosing(match.start()))[1]
            tokens = source.tokens(match.start(), scope)
            ends = (i for i, token in enumerate(tokens) if token.kind == "newline" or token.text == ";")
            end = next(ends, len(tokens))
            if any(token.text == "," for token in tokens[:end]):
                continue
            last = tokens[end - 1].end
            if not uses(source, name, last, scope):
                self.choices.delete(match.start(), last)
                return
            if match[1] == "var" and any(token.text == "=" for token in tokens[:end]) and not is_changed(
                    source, name, last, scope):
                self.choices.replace(match.start(), match.start() + 3, "let")
                return


def is_local(source, offset):
    """Says whether a declaration stands in a function or a closure, not in a type."""
    opening = source.enclosing(offset)
    if opening is None:
        return False
    header = re.split(r"[;{}]|\n[ \t]*\n", source.text[:opening])[-1]
    return not re.search(r"\b(struct|class|enum|actor|extension|protocol) [\w.]+[^()]*$", header)


def is_changed(source, name, start, end):
    """Says whether a variable may be changed: assigned, passed in and out, or told to change itself."""
    for use in uses(source, name, start, end):
        at = use + len(name)
        if source.text[use - 1] == "&":
            return True
        while match := re.compile(r"[!?]?(\.\w+)|[!?](?!=)").match(source.text, at):
            at = match.end()
            if match[1] and source.text[at:at + 1] in ("(", "{"):
                return True
            while source.text[at:at + 1] == "[":
                at = source.mates[at] + 1
        while source.text[at:at + 1] == "[":
            at = source.mates[at] + 1
        if re.match(r"[!?]?\s*([-+*/%&|^]|<<|>>)?=(?!=)", source.text[at:]):
            return True
    return False


# Declarations

def without(source, spans):
    """The text without these declarations, their attributes and the comments above them."""
    text = source.text
    for start, end in sorted(spans, reverse=True):
        first, last = lines(Source(text), start, end, above=("//", "@"))
        text = text[:first] + text[last:]
    return text


def functions(source):
    """The functions of a text: the offset of the keyword, the name, and the bracket of the body."""
    for match in source.matches(r"\bfunc\s+(\w+)"):
        tokens = source.tokens(match.end(), source.inside(source.enclosing(match.start()))[1])
        header = itertools.takewhile(lambda token: token.kind != "newline", tokens)
        body = next((token.start for token in header if token.is_block), None)
        if body is not None:
            yield match.start(), match[1], body


def without_function(text, name):
    """The text without a function and the private variables that only it used, and the names of these."""
    source = Source(text)
    spans = [(start, source.mates[body]) for start, function, body in functions(source) if function == name]
    names = []
    for start, end in list(spans):
        for word in sorted(set(source.words(start, end))):
            used = [match.start() for match in source.matches(rf"\b{word}\b")]
            member = source.matches(rf"\bprivate (static )?(let|var) {word}\b")
            if len(member) == 1 and len([at for at in used if not start < at < end]) == 1:
                tokens = source.tokens(member[0].start(), source.inside(source.enclosing(start))[1])
                stop = next((i for i, token in enumerate(tokens) if token.kind == "newline"), len(tokens))
                spans.append((member[0].start(), tokens[stop - 1].end))
                names.append(word)
    return without(source, spans), names


def sites(source):
    """The functions that open a site: the number, the function's keyword, and its end."""
    for start, _, body in functions(source):
        opened = {int(match[1]) for match in source.matches(r"\bopen\(\s*(\d+)\s*\)", *source.inside(body))}
        for number in opened:
            yield number, start, source.mates[body]
