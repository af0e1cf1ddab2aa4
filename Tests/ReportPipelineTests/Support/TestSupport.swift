// For every file of these tests.
@_exported public import TestSupport
