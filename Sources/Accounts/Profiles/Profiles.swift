import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// Why a profile could not be read or replaced.
package enum ProfileError: Error, Equatable, Sendable {
    /// Larger than 64 KiB, or a member breaks its limit.
    case invalid(String)
    /// Somebody changed it since it was read.
    case changedMeanwhile
    case store(ObjectStoreError)
}

/// The users' own profiles. Their owners can write anything there, so what is read is hostile input with limits.
package struct Profiles: Sendable {
    /// The largest profile, in bytes.
    package static let limit = 64 << 10

    private let store: any ObjectStore

    package init(store: any ObjectStore) { self.store = store }

    /// The profile with its tag; `nil` when there is none, or none that can be read.
    package func load(_ user: UserID) async throws(ProfileError) -> (profile: Profile, etag: ETag)? {
        do {
            guard let object = try await store.get(Self.key(user), limit: Self.limit),
                let profile = try? WireJSON.decoder().decode(Profile.self, from: Data(object.bytes.readableBytesView))
            else { return nil }
            return (profile, object.etag)
        } catch .tooLarge {
            return nil
        } catch {
            throw .store(error)
        }
    }

    /// Writes the first profile of an account; one that its owner was faster to write stays.
    package func create(_ profile: Profile, for user: UserID) async throws(ProfileError) {
        do {
            try await store.put(Self.key(user), try encode(profile), if: .absent)
        } catch let error as ObjectStoreError {
            guard error != .preconditionFailed else { return }
            throw .store(error)
        } catch let error as ProfileError {
            throw error
        } catch {
            throw .invalid("\(error)")
        }
    }

    /// Replaces the profile.
    /// - Parameter expected: the tag it must still have; without one whatever is there is replaced.
    package func replace(
        _ profile: Profile, for user: UserID, expected: ETag?
    ) async throws(ProfileError) -> ETag {
        let bytes = try encode(profile)
        do {
            return try await store.put(Self.key(user), bytes, if: expected.map { .matches($0) } ?? .always)
        } catch .preconditionFailed {
            throw .changedMeanwhile
        } catch {
            throw .store(error)
        }
    }

    private func encode(_ profile: Profile) throws(ProfileError) -> ByteBuffer {
        guard profile.displayName?.unicodeScalars.count ?? 0 <= 200 else { throw .invalid("displayName has more than 200 characters") }
        guard profile.picture?.unicodeScalars.count ?? 0 <= 1024 else { throw .invalid("picture has more than 1,024 characters") }
        guard profile.preferences?.count ?? 0 <= 100 else { throw .invalid("more than 100 preferences") }
        guard let bytes = try? WireJSON.encoder().encode(profile), bytes.count <= Self.limit else {
            throw .invalid("the profile has more than 64 KiB")
        }
        return ByteBuffer(bytes: bytes)
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.profile(user)) }
}
