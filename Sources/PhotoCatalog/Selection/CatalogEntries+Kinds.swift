extension CatalogEntries {
    /// Returns those of some kinds of which there is an entry. Reads each record once.
    package func present(_ kinds: [MediaKind]) -> [MediaKind] {
        var isUsed = [Bool](repeating: false, count: catalog.types.count)
        for index in order { isUsed[Int(catalog.records[Int(index)].type)] = true }
        let used = zip(catalog.types, isUsed).filter(\.1).map(\.0)
        return kinds.filter { kind in used.contains(where: kind.includes) }
    }
}
