import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Searches a store for everything that mentions an account: names of all objects, and contents of all except photos,
/// thumbnails, catalogs and exports of people.
package struct AbsenceProof: Sendable {
    /// The largest content that is searched, in bytes; documents are smaller.
    private static let contentLimit = 8 << 20

    private let store: any ObjectStore
    private let terms: SearchTerms

    package init(_ store: any ObjectStore, terms: SearchTerms) {
        self.store = store
        self.terms = terms
    }

    /// Searches the whole store. One listing per thousand objects, and one read for each document.
    /// - Parameter report: receives each place that mentions the account, with the kinds of identifiers found there.
    /// - Returns: the number of searched objects.
    package func run(report: (String, [SearchTerms.Kind]) -> Void) async throws -> Int {
        var (searched, after) = (0, String?.none)
        repeat {
            let page = try await store.list(prefix: "", after: after, limit: 1000)
            for object in page.objects {
                searched += 1
                let kinds = terms.kinds(in: Data(object.key.description.utf8))
                if !kinds.isEmpty { report("key \(object.key)", kinds) }
                guard Self.isDocument(object.key) else { continue }
                let mentioned = try await kindsInContent(of: object.key)
                if !mentioned.isEmpty { report("content of \(object.key)", mentioned) }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return searched
    }

    private func kindsInContent(of key: ObjectKey) async throws -> [SearchTerms.Kind] {
        guard let found = try await store.get(key, limit: Self.contentLimit) else { return [] }
        return terms.kinds(in: Data(found.bytes.readableBytesView))
    }

    private static func isDocument(_ key: ObjectKey) -> Bool {
        [StorageLayout.accounts, StorageLayout.identities, StorageLayout.service].contains { key.hasPrefix($0) }
            && !key.hasPrefix(StorageLayout.uploads) && !key.hasPrefix(StorageLayout.exports)
    }
}
