import Foundation
import ObjectStorage
import PhotolalaAPI

/// What people said of themselves in older layouts.
extension LayoutPass {
    private static let names = ["account/profile.json", "account/user.json"]

    /// Makes the profile from an older one, where there is none yet. The older one stays, as it says more.
    func takeProfile(_ object: ListedObject, _ user: UserID) async throws(AccountError) {
        let key = object.key.description
        let name = key.dropFirst(object.key.owner.count)
        guard object.key.begins(StorageLayout.olderFolders[0]), Self.names.contains(String(name)) else { return }
        let profiles = Profiles(store: store, retry: directory.retry)
        let destination = ObjectKey(known: StorageLayout.profile(user))
        guard try await storing({ () throws(ObjectStoreError) in try await store.head(destination) }) == nil else {
            return
        }
        guard let older = try await read(object.key, OlderProfile.self) else {
            return tally.tell(.profileUnreadable, user, key)
        }
        guard !isDry else { return }
        try await willWrite(destination, of: user)
        for profile in [older.profile, older.plain] {
            do {
                return try await profiles.create(profile, for: user)
            } catch {
                if case .store(let failure) = error { throw .store(failure) }
            }
        }
        tally.tell(.profileUnreadable, user, key)
    }

    private func read<Value: Decodable>(
        _ key: ObjectKey, _ type: Value.Type
    ) async throws(AccountError) -> Value? {
        do {
            let found = try await storing { () throws(ObjectStoreError) in
                try await store.get(key, limit: Profiles.limit)
            }
            return found.flatMap { try? JSONDecoder().decode(type, from: Data($0.bytes.readableBytesView)) }
        } catch .corrupted {
            return nil
        }
    }

    /// Remembers what is at a key that is to be written without being a copy of one object.
    func willWrite(_ key: ObjectKey, of user: UserID) async throws(AccountError) {
        guard try await records.load(user, about: key.description) == nil else { return }
        // A snapshot of a catalog is named by its bytes: what is there is never replaced.
        let isSnapshot = key.begins(StorageLayout.catalogs(user)) && key.description.hasSuffix(".csv")
        let before = isSnapshot ? nil : try await content(of: key)
        var wasThere = false
        if isSnapshot {
            wasThere = try await storing { () throws(ObjectStoreError) in try await store.head(key) } != nil
        }
        _ = try await records.create(
            MoveRecord(
                user: user, source: nil, destination: key.description, replaced: before?.bytes,
                attributes: before?.attributes ?? [:], wasThere: wasThere, isDone: true
            )
        )
    }
}

/// `profile.json` and `user.json` of older layouts. Tier, quota and addresses in it are nobody's proof.
private struct OlderProfile: Decodable {
    /// A value of any form, of which some are none.
    private struct Preference: Decodable {
        let value: PreferenceValue?
        init(from decoder: any Decoder) throws { value = try? PreferenceValue(from: decoder) }
    }

    let displayName: String?
    let fullName: String?
    let photoURL: String?
    private let preferences: [String: Preference]?

    var name: String? { displayName ?? fullName }

    /// What is left of one that breaks the profile's limits.
    var plain: Profile {
        Profile(displayName: name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))) })
    }

    var profile: Profile {
        Profile(displayName: name, picture: photoURL, preferences: preferences?.compactMapValues(\.value))
    }
}
