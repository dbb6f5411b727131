import ObjectStorage

/// Counts the objects below a user's prefix in other letter case. A store that evaluates policies case-insensitively
/// gives the owner of `photos/{uuid}/` access to `PHOTOS/{UUID}/`; keys are case-sensitive, so these are additional
/// objects.
///
/// Usually there are none, which costs one listing for each letter of the prefix.
struct CaseVariants {
    /// The number of concurrent listings.
    private static let concurrency = 8

    private let store: any ObjectStore
    /// The case variants of each character, the prefix's own first.
    private let variantsByPosition: [[Unicode.Scalar]]

    /// - Parameter prefix: The prefix in lower-case ASCII.
    init(of prefix: String, in store: any ObjectStore) {
        self.store = store
        variantsByPosition = prefix.unicodeScalars.map(Self.variants)
    }

    /// Returns the storage used below all other variants.
    func usage() async throws(ObjectStoreError) -> KindUsage {
        var usage = KindUsage()
        var pending = stems
        while !pending.isEmpty {
            let batch = pending.suffix(Self.concurrency)
            pending.removeLast(batch.count)
            for found in try await scanAll(at: Array(batch)) {
                usage += found.usage
                pending += found.stems
            }
        }
        return usage
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

    /// Counts the keys below a stem, or splits it if they exceed one page.
    private func scan(at stem: Stem) async throws(ObjectStoreError) -> ScanResult {
        var found = ScanResult()
        var after: String?
        repeat {
            let page = try await store.list(prefix: stem.text, after: after, limit: 1000)
            if page.isTruncated, stem.length < variantsByPosition.count {
                return ScanResult(
                    stems: variantsByPosition[stem.length].map {
                        Stem(text: "\(stem.text)\($0)", length: stem.length + 1)
                    })
            }
            for object in page.objects where isBelow(object.key.description) {
                found.usage += KindUsage(bytes: object.size, objects: 1)
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
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
    }

    /// The result of a listing: the objects counted, and the stems still to be listed.
    private struct ScanResult: Sendable {
        var usage = KindUsage()
        var stems: [Stem] = []
    }
}
