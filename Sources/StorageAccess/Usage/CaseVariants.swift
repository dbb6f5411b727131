import ObjectStorage

/// Finds the objects below a user's prefix in other letter case. A store that evaluates policies case-insensitively
/// gives the owner of `photos/{uuid}/` access to `PHOTOS/{UUID}/`; keys are case-sensitive, so these are additional
/// objects.
///
/// Usually there are none, which costs one listing for each letter of the prefix.
package struct CaseVariants: Sendable {
    /// The number of concurrent listings.
    private static let concurrency = 8

    private let store: any ObjectStore
    /// The case variants of each character, the prefix's own first.
    private let variantsByPosition: [[Unicode.Scalar]]

    /// - Parameter prefix: The prefix in lower-case ASCII.
    package init(of prefix: String, in store: any ObjectStore) {
        self.store = store
        variantsByPosition = prefix.unicodeScalars.map(Self.variants)
    }

    /// Returns the storage used below all other variants.
    func usage() async throws(ObjectStoreError) -> KindUsage {
        var usage = KindUsage()
        try await forEachBatch { objects in
            for object in objects { usage += KindUsage(bytes: object.size, objects: 1) }
        }
        return usage
    }

    /// Counts the objects below all other variants.
    package func count() async throws(ObjectStoreError) -> ErasedObjects {
        let usage = try await usage()
        return ErasedObjects(objects: usage.objects, bytes: usage.bytes)
    }

    /// Erases the objects below all other variants.
    package func erase(with erasure: any StoreErasure) async throws(ObjectStoreError) {
        try await forEachBatch { (objects) async throws(ObjectStoreError) in
            for object in objects { try await erasure.erase(object.key, keepingCurrent: false) }
        }
    }

    /// Visits the objects in batches of at most 8,000.
    private func forEachBatch(
        _ visit: ([ListedObject]) async throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) {
        var pending = stems
        while !pending.isEmpty {
            let batch = pending.suffix(Self.concurrency)
            pending.removeLast(batch.count)
            for found in try await scanAll(at: Array(batch)) {
                try await visit(found.objects)
                pending += found.stems
            }
        }
    }

    private func scanAll(at stems: [Stem]) async throws(ObjectStoreError) -> [ScanResult] {
        do {
            return try await withThrowingTaskGroup(of: ScanResult.self) { group in
                for stem in stems { group.addTask { try await scan(at: stem) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// The variants of the prefix's beginnings that differ only in their last character.
    private var stems: [Stem] {
        var own = ""
        var stems: [Stem] = []
        for (index, spellings) in variantsByPosition.enumerated() {
            stems += spellings.dropFirst().map { Stem(text: "\(own)\($0)", length: index + 1) }
            own.unicodeScalars.append(spellings[0])
        }
        return stems
    }

    /// Lists a page of the keys below a stem; splits a stem that exceeds one page.
    private func scan(at stem: Stem) async throws(ObjectStoreError) -> ScanResult {
        let page = try await store.list(prefix: stem.text, after: stem.after, limit: 1000)
        if page.isTruncated, stem.length < variantsByPosition.count {
            return ScanResult(
                stems: variantsByPosition[stem.length].map {
                    Stem(text: "\(stem.text)\($0)", length: stem.length + 1)
                })
        }
        var found = ScanResult(objects: page.objects.filter { isBelow($0.key.description) })
        if page.isTruncated, let last = page.objects.last?.key.description {
            found.stems = [Stem(text: stem.text, length: stem.length, after: last)]
        }
        return found
    }

    /// Returns whether a key begins with any variant of the prefix.
    private func isBelow(_ key: String) -> Bool {
        let scalars = key.unicodeScalars.prefix(variantsByPosition.count)
        return scalars.count == variantsByPosition.count
            && zip(scalars, variantsByPosition).allSatisfy { $1.contains($0) }
    }

    /// A character and all others of which it is the lower case: its capital, and of `i` and `k` one more (U+0130, U+212A).
    /// Such an engine compares in lower case, by Unicode's mapping of single characters.
    private static func variants(of character: Unicode.Scalar) -> [Unicode.Scalar] {
        guard let capital = Unicode.Scalar(character.properties.uppercaseMapping), capital != character else {
            return [character]
        }
        return [character, capital] + (beyondASCII[character].map { [$0] } ?? [])
    }

    private static let beyondASCII: [Unicode.Scalar: Unicode.Scalar] = ["i": "\u{130}", "k": "\u{212A}"]

    /// The beginning of a spelling.
    private struct Stem: Sendable {
        let text: String
        /// The number of characters of the prefix.
        let length: Int
        /// The last key of the page before.
        var after: String?
    }

    /// The result of a listing: the objects found, and the stems still to be listed.
    private struct ScanResult: Sendable {
        var objects: [ListedObject] = []
        var stems: [Stem] = []
    }
}
