import Foundation
import JSONCoding
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// An error from reading or replacing a profile.
package enum ProfileError: Error, Equatable, Sendable {
    /// Larger than 64 KiB, or a member exceeds its limit.
    case invalid(String)
    /// The stored object is not a valid profile. Its owner wrote it and may replace it explicitly.
    case unreadable
    /// The stored profile does not meet the caller's condition.
    case preconditionFailed
    /// Concurrent changes kept conflicting.
    case contended
    case store(ObjectStoreError)
}

/// A precondition for replacing a profile (RFC 9110 section 13.1.1).
package enum ProfileCondition: Equatable, Sendable {
    /// A valid profile, or none.
    case any
    /// A profile exists, valid or not (`If-Match: *`).
    case exists
    /// The profile has one of these tags (`If-Match`).
    case oneOf([String])
}

/// The users' own profiles. Owners can write arbitrary bytes there, so reads treat them as untrusted input with limits.
package struct Profiles: Sendable {
    /// The largest profile, in bytes.
    package static let limit = 64 << 10
    /// The tag of a profile that was never written. If two writers expect it, only the first succeeds.
    package static let unwritten = ETag("unwritten")

    private let writes: ConditionalWrites

    package init(store: any ObjectStore, retry: RetryPolicy) {
        writes = ConditionalWrites(store: store, retry: retry)
    }

    /// Reads the profile with its tag; `nil` if there is none. One read.
    /// - Throws: `unreadable`.
    package func load(_ user: UserID) async throws(ProfileError) -> (profile: Profile, etag: ETag)? {
        guard let object = try await read(user) else { return nil }
        guard let profile = object.profile else { throw .unreadable }
        return (profile, object.etag)
    }

    /// Creates the first profile of an account; an existing profile stays.
    package func create(_ profile: Profile, for user: UserID) async throws(ProfileError) {
        _ = try await put(try encode(profile, user), for: user, if: .absent)
    }

    /// Replaces the profile by compare-and-swap. One write, preceded by a read unless a single tag is expected.
    package func replace(
        _ profile: Profile, for user: UserID, if condition: ProfileCondition
    ) async throws(ProfileError) -> ETag {
        let bytes = try encode(profile, user)
        for attempt in 0..<writes.retry.attempts {
            let expected = try await expected(condition, user)
            if case .written(let etag) = try await put(bytes, for: user, if: expected) { return etag }
            guard condition == .any || condition == .exists else { throw .preconditionFailed }
            await writes.retry.pause(after: attempt)
        }
        throw .contended
    }

    private func expected(
        _ condition: ProfileCondition, _ user: UserID
    ) async throws(ProfileError) -> PutCondition {
        if case .oneOf(let tags) = condition, tags.count == 1, ETag(tags[0]) != Self.unwritten {
            return .matches(ETag(tags[0]))
        }
        let current = try await read(user)
        switch condition {
        case .any:
            guard let current else { return .absent }
            guard current.profile != nil else { throw .unreadable }
            return .matches(current.etag)
        case .exists:
            guard let current else { throw .preconditionFailed }
            return .matches(current.etag)
        case .oneOf(let tags):
            guard tags.contains((current?.etag ?? Self.unwritten).description) else { throw .preconditionFailed }
            return current.map { .matches($0.etag) } ?? .absent
        }
    }

    private func read(_ user: UserID) async throws(ProfileError) -> (profile: Profile?, etag: ETag)? {
        do {
            guard let object = try await writes.store.get(Self.key(user), limit: Self.limit) else { return nil }
            return (Self.decode(Data(object.bytes.readableBytesView), user), object.etag)
        } catch .tooLarge {
            return try await head(user).map { (nil, $0) }
        } catch {
            throw .store(error)
        }
    }

    private func head(_ user: UserID) async throws(ProfileError) -> ETag? {
        do {
            return try await writes.store.head(Self.key(user))?.etag
        } catch {
            throw .store(error)
        }
    }

    private func put(
        _ bytes: ByteBuffer, for user: UserID, if condition: PutCondition
    ) async throws(ProfileError) -> ConditionalWrites.Outcome {
        do {
            return try await writes.put(Self.key(user), bytes, if: condition)
        } catch {
            throw .store(error)
        }
    }

    /// Decodes a profile and enforces its limits, so that code that displays it may rely on them.
    private static func decode(_ bytes: Data, _ user: UserID) -> Profile? {
        guard let profile = try? CompactJSON.decode(Profile.self, from: [UInt8](bytes)),
            (try? validate(profile, user)) != nil
        else { return nil }
        return profile
    }

    private func encode(_ profile: Profile, _ user: UserID) throws(ProfileError) -> ByteBuffer {
        try Self.validate(profile, user)
        guard let bytes = try? WireJSON.encoder().encode(profile), bytes.count <= Self.limit else {
            throw .invalid("The profile must be at most 64 KiB.")
        }
        return ByteBuffer(bytes: bytes)
    }

    private static func validate(_ profile: Profile, _ user: UserID) throws(ProfileError) {
        guard profile.displayName?.unicodeScalars.count ?? 0 <= 200 else {
            throw .invalid("displayName must be at most 200 characters.")
        }
        if let picture = profile.picture {
            guard picture.unicodeScalars.count <= 1024 else {
                throw .invalid("picture must be at most 1,024 characters.")
            }
            guard isOwnKey(picture, user) || isAddress(picture) else {
                throw .invalid("picture must be an https URL or a key below the user's users/ prefix.")
            }
        }
        guard profile.preferences?.count ?? 0 <= 100 else {
            throw .invalid("preferences must have at most 100 elements.")
        }
        guard profile.preferenceChanges?.count ?? 0 <= 200 else {
            throw .invalid("preferenceChanges must have at most 200 elements.")
        }
        guard profile.preferenceChanges?.values.allSatisfy({ $0.unicodeScalars.count <= 32 }) ?? true else {
            throw .invalid("Each of preferenceChanges must be at most 32 characters.")
        }
    }

    private static func isOwnKey(_ text: String, _ user: UserID) -> Bool {
        text.utf8.starts(with: StorageLayout.userData(user).utf8) && ObjectKey(text) != nil
    }

    private static func isAddress(_ text: String) -> Bool {
        // Foundation would escape invalid characters instead of rejecting them.
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let parts = URLComponents(string: text),
            parts.scheme?.lowercased() == "https"
        else { return false }
        return parts.host?.isEmpty == false && parts.user == nil && parts.password == nil
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.profile(user)) }
}
