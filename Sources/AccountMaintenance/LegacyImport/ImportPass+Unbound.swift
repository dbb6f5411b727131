import Accounts
import ObjectStorage
import PhotolalaAPI

/// Finds users with objects but without an identity binding, before accounts exist.
extension ImportPass {
    /// Users checked in one pass over the bindings; more users cost another pass.
    private static let batchSize = 200_000

    func reportUnboundUsers() async throws(AccountError) {
        var found: [UserID: [String]] = [:]
        for folder in StorageLayout.legacyFolders {
            var listing = Listing(store, prefix: folder)
            while let object = try await listing.next() {
                guard let user = LegacyFile(object.key).user, found[user]?.last != object.key.owner else { continue }
                if found.count == Self.batchSize, found[user] == nil {
                    try await reportUnbound(found)
                    found = [:]
                }
                found[user, default: []].append(object.key.owner)
            }
        }
        try await reportUnbound(found)
    }

    private func reportUnbound(_ found: [UserID: [String]]) async throws(AccountError) {
        guard !found.isEmpty else { return }
        var unclaimed = found
        var listing = Listing(store, prefix: StorageLayout.identities)
        while let object = try await listing.next() {
            switch try await readBinding(object.key)?.binding {
            case .account(let user): unclaimed[user] = nil
            case .current(let binding): unclaimed[binding.user] = nil
            case .unreadable, nil: continue
            }
        }
        for (user, owners) in unclaimed.sorted(by: { $0.key < $1.key }) {
            for owner in owners { tally.record(.userUnclaimed, user, owner) }
        }
    }
}
