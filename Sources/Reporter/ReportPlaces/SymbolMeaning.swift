/// The kind of code that a symbol names.
enum SymbolMeaning {
  case function(FunctionName)
  /// A merged function, shared by several.
  case sharedCode
  case expansion(MacroExpansion)
  /// Generated code, such as thunks and witnesses, or unknown.
  case other

  init(_ tree: DemangledNode) {
    let parts = tree.children.filter { !Self.attributes.contains($0.kind) }
    if tree["MergedFunction"] != nil {
      self = .sharedCode
    } else if let expansion = MacroExpansion(tree) {
      self = .expansion(expansion)
    } else if tree.kind == "Global", parts.count == 1, let declaration = Declaration(parts[0]) {
      self = .function(FunctionName(name: declaration.name, key: declaration.key))
    } else {
      self = .other
    }
  }

  var function: FunctionName? { if case .function(let function) = self { function } else { nil } }
  var expansion: MacroExpansion? { if case .expansion(let expansion) = self { expansion } else { nil } }

  /// Nodes that mark variants and parts of a function.
  private static let attributes: Set = [
    "AsyncAwaitResumePartialFunction", "AsyncSuspendResumePartialFunction", "Suffix",
    "GenericSpecialization", "GenericSpecializationNotReAbstracted",
    "GenericSpecializationInResilienceDomain", "GenericSpecializationPrespecialized",
    "GenericPartialSpecialization", "GenericPartialSpecializationNotReAbstracted",
    "FunctionSignatureSpecialization", "InlinedGenericFunction", "DynamicallyReplaceableFunctionImpl",
  ]
}

/// A function's name with a unique key.
struct FunctionName {
  var name: PlaceName
  /// Equal only for symbols of the same function.
  var key: String
}

extension FunctionName {
  /// Names a C or demangled C++ function.
  init(ofC symbol: String) {
    // Compilers add suffixes to parts of a function.
    let suffix = /(\.(cold|part|constprop|isra|llvm|lto_priv)(\.\d+)*)+$|@.*$/
    let function = symbol.replacing(suffix, with: "")
    // Asynchronous top-level code.
    key = function.hasPrefix("async_Main") ? "main" : function
    name = PlaceName(module: nil, function: key)
  }
}

/// A declaration in a symbol's tree.
private struct Declaration {
  var context: Context
  /// Its name with labels; `nil` for code of the context itself.
  var own: String?
  var isClosure = false
  var key: String

  var name: PlaceName {
    PlaceName(
      module: context.module, function: (context.types + [own ?? "main"]).joined(separator: "."),
      isClosure: isClosure, enclosing: context.enclosing)
  }

  init?(_ node: DemangledNode) {
    guard let first = node.children.first else { return nil }
    switch node.kind {
    case "Static", "Getter", "GlobalGetter", "Setter", "ModifyAccessor", "Modify2Accessor", "ReadAccessor",
      "Read2Accessor", "WillSet", "DidSet", "InitAccessor", "UnsafeAddressor", "UnsafeMutableAddressor",
      "Initializer", "PropertyWrapperBackingInitializer", "PropertyWrapperInitFromProjectedValue",
      "PropertyWrappedFieldInitAccessor", "DefaultArgumentInitializer":
      self.init(first)
    case "ExplicitClosure", "ImplicitClosure":
      if first.kind == "Module" {
        self.init(first, own: nil, of: node)
      } else {
        self.init(first)
      }
      isClosure = true
    case "Function":
      guard let name = node.children.dropFirst().first?.declaredName, let labels = node.labels else {
        return nil
      }
      // A `defer` block is compiled as a local function.
      if name == "$defer" {
        self.init(first)
        isClosure = true
      } else {
        self.init(first, own: name + labels, of: node)
      }
    case "Constructor", "Allocator":
      guard let labels = node.labels else { return nil }
      self.init(first, own: "init" + labels, of: node)
    case "Destructor", "Deallocator", "IsolatedDeallocator":
      self.init(first, own: "deinit", of: node)
    case "Variable":
      guard let name = node.children.dropFirst().first?.declaredName else { return nil }
      self.init(first, own: name, of: node)
    case "Subscript":
      guard let labels = node.labels else { return nil }
      self.init(first, own: "subscript" + labels, of: node)
    case "GlobalVariableOnceFunction":
      let names = node["GlobalVariableOnceDeclList"]?.children.map(\.declaredName) ?? []
      guard let name = names.first ?? nil, !names.contains(nil) else { return nil }
      let all = names.compactMap { $0 }.joined(separator: ", ")
      self.init(first, own: names.count == 1 ? name : "(\(all))", of: node)
    default: return nil
    }
  }

  private init?(_ context: DemangledNode, own: String?, of node: DemangledNode) {
    guard let known = Context(context) else { return nil }
    self.context = known
    self.own = own
    key = known.key + "." + (own ?? "")
    // Overloads differ by type, local functions by number.
    if ["Function", "Constructor", "Allocator", "Subscript"].contains(node.kind) {
      key += node["Type"]?.serialized ?? ""
    }
    if let number = node["LocalDeclName"]?["Number"]?.index { key += "#\(number)" }
  }
}

private struct Context {
  var module: String
  var types: [String] = []
  var enclosing: String?
  var key: String

}

extension Context {
  fileprivate init?(_ node: DemangledNode) {
    switch node.kind {
    case "Module":
      self.init(module: node.text, key: node.text)
    case "Structure", "Class", "Enum", "Protocol", "TypeAlias", "OtherNominalType":
      guard node.children.count >= 2, let name = node.children[1].declaredName else { return nil }
      self.init(node.children[0])
      types.append(name)
      key += "." + node.children[1].serialized
    case "Extension":
      guard node.children.count >= 2, node.children[0].kind == "Module" else { return nil }
      self.init(node.children[1])
      module = node.children[0].text
      key = "\(module):\(key)" + (node["DependentGenericSignature"]?.serialized ?? "")
    case "Type", "BoundGenericStructure", "BoundGenericClass", "BoundGenericEnum", "BoundGenericProtocol",
      "BoundGenericOtherNominalType", "BoundGenericTypeAlias":
      guard let first = node.children.first else { return nil }
      self.init(first)
    default:
      guard let function = Declaration(node) else { return nil }
      self.init(
        module: function.context.module, enclosing: function.context.enclosing ?? function.name.function,
        key: node.serialized)
    }
  }
}

extension DemangledNode {
  /// A declared name; `nil` if a macro made it.
  fileprivate var declaredName: String? {
    switch kind {
    case "Identifier", "InfixOperator", "PrefixOperator", "PostfixOperator":
      let lazy = "$__lazy_storage_$_"
      if text.hasPrefix(lazy) { return String(text.dropFirst(lazy.count)) }
      if text.isEmpty || text.hasPrefix("$s") || text.hasPrefix("$S") { return nil }
      return text.withPlainSpaces
    case "PrivateDeclName", "LocalDeclName": return children.dropFirst().first?.declaredName
    default: return nil
    }
  }

  /// The argument labels in parentheses; `nil` when their number is unknown.
  fileprivate var labels: String? {
    let labels = self["LabelList"]?.children ?? []
    guard labels.isEmpty else {
      return "(" + labels.map { ($0.declaredName ?? "_") + ":" }.joined() + ")"
    }
    guard let count = self["Type"]?.parameterCount else { return nil }
    return "(" + String(repeating: "_:", count: count) + ")"
  }

  private var parameterCount: Int? {
    if let parameters = self["ArgumentTuple"] {
      guard let type = parameters["Type"]?.children.first else { return nil }
      return type.kind == "Tuple" ? type.children.count : 1
    }
    // A generic type follows its signature.
    guard kind == "Type" || kind == "DependentGenericType" else { return nil }
    return children.last?.parameterCount
  }
}

extension String {
  /// In symbols, raw identifiers have U+00A0 for spaces.
  var withPlainSpaces: String { contains("`") ? replacing("\u{A0}", with: " ") : self }
}
