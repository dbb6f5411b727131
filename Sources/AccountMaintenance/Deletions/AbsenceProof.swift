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
    private let needles: SearchTerms

    package init(_ store: any ObjectStore, terms: SearchTerms) {
        self.store = store
        needles = terms
    }

    /// Searches the whole store. One listing per thousand objects, and one read for each document.
    /// - Parameter report: receives each place that mentions the account.
    /// - Returns: the number of searched objects.
    package func run(report: (String) -> Void) async throws -> Int {
        var (searched, after) = (0, String?.none)
        repeat {
            let page = try await store.list(prefix: "", after: after, limit: 1000)
            for object in page.objects {
                searched += 1
                if needles.occur(in: Data(object.key.description.utf8)) {
                    report("key \(object.key)")
                } else if Self.isDocument(object.key), try await isMentioned(in: object.key) {
                    report("content of \(object.key)")
                }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        return searched
    }

    private func isMentioned(in key: ObjectKey) async throws -> Bool {
        guard let found = try await store.get(key, limit: Self.contentLimit) else { return false }
        return needles.occur(in: Data(found.bytes.readableBytesView))
    }

    private static func isDocument(_ key: ObjectKey) -> Bool {
        [StorageLayout.accounts, StorageLayout.identities, StorageLayout.service].contains { key.hasPrefix($0) }
            && !key.hasPrefix(StorageLayout.uploads) && !key.hasPrefix(StorageLayout.exports)
    }
}

/// The identifiers of an account in the forms in which they may be stored.
package struct SearchTerms: Sendable {
    private let terms: [Data]
    /// The length of the longest term, in bytes: a file that is read in pieces must be searched across them.
    package let longest: Int

    /// - Parameters:
    ///   - user: the account's id: as text in both cases, without hyphens, and as 16 bytes.
    ///   - others: other identifiers, such as a provider's id or an e-mail address; as given and in lower case. All are also
    ///     searched in Base64.
    package init(_ user: UserID, others: [String] = []) {
        let id = user.description
        let compact = id.replacing("-", with: "")
        let texts = [id, id.uppercased(), compact, compact.uppercased()] + others + others.map { $0.lowercased() }
        let plain = Set(texts).map { Data($0.utf8) } + [withUnsafeBytes(of: user.uuid.uuid) { Data($0) }]
        terms = plain + plain.flatMap(Self.base64Forms)
        longest = terms.map(\.count).max() ?? 0
    }

    /// Returns a term as it looks inside Base64, in which it begins at one of three positions of a group: snapshots contain
    /// objects so.
    private static func base64Forms(_ term: Data) -> [Data] {
        (0..<3).compactMap { offset in
            let text = (Data(count: offset) + term).base64EncodedString().prefix { $0 != "=" }
            // The first characters depend on what precedes the term, the last one on what follows.
            let isCut = (offset + term.count) % 3 != 0
            let form = text.dropFirst([0, 2, 3][offset]).dropLast(isCut ? 1 : 0)
            return form.count < 6 ? nil : Data(form.utf8)
        }
    }

    /// Returns whether any of them occurs.
    package func occur(in data: Data) -> Bool { terms.contains { data.range(of: $0) != nil } }
}
