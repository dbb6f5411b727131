import ObjectStorage
import PhotolalaAPI

/// Finds users with objects but without an identity binding, before accounts exist.
extension LayoutPass {
    /// Users checked in one pass over the bindings; more users cost another pass.
    private static let together = 200_000

    func tellUnclaimed() async throws(AccountError) {
        var found: [UserID: [String]] = [:]
        for folder in StorageLayout.olderFolders {
            var listing = Listing(store, prefix: folder)
            while let object = try await listing.next() {
                guard let user = OlderFile(object.key).user, found[user]?.last != object.key.owner else { continue }
                if found.count == Self.together, found[user] == nil {
                    try await tell(found)
                    found = [:]
                }
                found[user, default: []].append(object.key.owner)
            }
        }
        try await tell(found)
    }

    private func tell(_ found: [UserID: [String]]) async throws(AccountError) {
        guard !found.isEmpty else { return }
        var unclaimed = found
        var listing = Listing(store, prefix: StorageLayout.identities)
        while let object = try await listing.next() {
            switch try await read(object.key)?.claim {
            case .account(let user): unclaimed[user] = nil
            case .current(let claim): unclaimed[claim.user] = nil
            case .unreadable, nil: continue
            }
        }
        for (user, owners) in unclaimed.sorted(by: { $0.key < $1.key }) {
            for owner in owners { tally.tell(.userUnclaimed, user, owner) }
        }
    }
}
