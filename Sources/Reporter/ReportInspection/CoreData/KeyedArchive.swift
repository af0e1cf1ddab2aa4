/// The property list that Foundation's `NSKeyedArchiver` writes: objects by number, which refer to each other.
struct KeyedArchive {
  let list: BinaryPropertyList
  /// The numbers in the list of the archive's objects.
  private let objects: [Int]
  /// What `$top` is in the list.
  let top: Int

  /// Finds the objects.
  ///
  /// - Returns: `nil` for any other property list.
  init?(_ list: BinaryPropertyList) {
    guard list.member("$archiver", of: list.top) != nil, let top = list.member("$top", of: list.top),
      let place = list.member("$objects", of: list.top), case .array(let objects)? = list.node(place)
    else { return nil }
    (self.list, self.objects, self.top) = (list, objects, top)
  }

  /// The only object that `$top` names.
  var root: Int? {
    guard case .dictionary(let members)? = list.node(top), members.count == 1 else { return nil }
    return resolved(members[0].value)
  }

  /// What a reference refers to; any other object itself.
  func resolved(_ number: Int) -> Int {
    guard case .reference(let reference)? = list.node(number), objects.indices.contains(reference) else {
      return number
    }
    return objects[reference]
  }

  /// A member of an object, followed to what it refers to.
  func member(_ name: String, of object: Int) -> Int? {
    list.member(name, of: object).map(resolved)
  }

  func node(_ name: String, of object: Int) -> BinaryPropertyList.Node? {
    member(name, of: object).flatMap(list.node)
  }

  /// A member's text; `nil` for an absent one, which archives write as `$null`.
  func text(_ name: String, of object: Int) -> String? {
    guard let place = member(name, of: object) else { return nil }
    if let text = list.text(place) { return text == "$null" ? nil : text }
    return member("NS.string", of: place).flatMap(list.text)
  }

  func integer(_ name: String, of object: Int) -> Int128? {
    guard case .integer(let value)? = node(name, of: object) else { return nil }
    return value
  }

  func className(of object: Int) -> String? {
    member("$class", of: object).flatMap { text("$classname", of: $0) }
  }

  /// The members of an array, followed.
  func references(_ name: String, of object: Int) -> [Int] {
    guard case .array(let members)? = node(name, of: object) else { return [] }
    return members.map(resolved)
  }

  /// An archived dictionary's values; that of `NSKnownKeysDictionary` has its keys in a mapping of their own.
  func values(of dictionary: Int) -> [Int] {
    if let values = member("values", of: dictionary) { return references("NS.objects", of: values) }
    return references("NS.objects", of: dictionary)
  }
}
