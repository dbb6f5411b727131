import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// Imports profiles of legacy layouts.
extension ImportPass {
    private static let fileNames = ["account/profile.json", "account/user.json"]

    /// Creates the profile from a legacy one if there is none yet. The legacy profile stays, because it contains more
    /// members.
    func importProfile(_ object: ListedObject, _ user: UserID) async throws(AccountError) {
        let key = object.key.description
        let name = key.dropFirst(object.key.owner.count)
        guard object.key.hasPrefix(StorageLayout.legacyFolders[0]), Self.fileNames.contains(String(name)) else {
            return
        }
        let profiles = Profiles(store: store, retry: directory.retry)
        let destination = ObjectKey(known: StorageLayout.profile(user))
        guard try await mapStoreErrors({ () throws(ObjectStoreError) in try await store.head(destination) }) == nil
        else {
            return
        }
        guard let older = try await read(object.key, LegacyProfile.self) else {
            return tally.record(.profileUnreadable, user, key)
        }
        guard !isDryRun else { return }
        try await prepareWrite(destination, of: user)
        for profile in [older.profile, older.plain] {
            do {
                return try await profiles.create(profile, for: user)
            } catch {
                if case .store(let failure) = error { throw .store(failure) }
            }
        }
        tally.record(.profileUnreadable, user, key)
    }

    private func read<Value: Decodable>(
        _ key: ObjectKey, _ type: Value.Type
    ) async throws(AccountError) -> Value? {
        do {
            let found = try await mapStoreErrors { () throws(ObjectStoreError) in
                try await store.get(key, limit: Profiles.limit)
            }
            return found.flatMap { try? JSONDecoder().decode(type, from: Data($0.bytes.readableBytesView)) }
        } catch .corrupted {
            return nil
        }
    }

    /// Records the current object at a key that is about to be written without being a copy of a single object.
    func prepareWrite(_ key: ObjectKey, of user: UserID) async throws(AccountError) {
        guard try await records.load(user, about: key.description) == nil else { return }
        // A catalog snapshot is named by its hash: an existing one is never replaced.
        let isSnapshot = key.hasPrefix(StorageLayout.catalogs(user)) && key.description.hasSuffix(".csv")
        let before = isSnapshot ? nil : try await content(of: key)
        var wasThere = false
        if isSnapshot {
            wasThere = try await mapStoreErrors { () throws(ObjectStoreError) in try await store.head(key) } != nil
        }
        _ = try await records.create(
            ImportRecord(
                user: user, source: nil, destination: key.description, replaced: before?.bytes,
                attributes: before?.attributes ?? [:], wasThere: wasThere, isDone: true
            )
        )
    }
}

/// `profile.json` and `user.json` of legacy layouts. Their tier, quota and addresses are unverified and ignored.
private struct LegacyProfile: Decodable {
    /// A preference of any JSON type; unsupported types decode to `nil`.
    private struct Preference: Decodable {
        let value: PreferenceValue?
        init(from decoder: any Decoder) throws { value = try? PreferenceValue(from: decoder) }
    }

    let displayName: String?
    let fullName: String?
    let photoURL: String?
    private let preferences: [String: Preference]?

    var name: String? { displayName ?? fullName }

    /// The profile without the members that exceed the profile's limits.
    var plain: Profile {
        Profile(displayName: name.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))) })
    }

    var profile: Profile {
        Profile(displayName: name, picture: photoURL, preferences: preferences?.compactMapValues(\.value))
    }
}
