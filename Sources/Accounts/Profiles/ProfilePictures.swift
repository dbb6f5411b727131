import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The stored profile pictures, one object for each account. Callers check what the bytes are.
package struct ProfilePictures: Sendable {
    private let writes: ConditionalWrites

    package init(store: any ObjectStore, retry: RetryPolicy) {
        writes = ConditionalWrites(store: store, retry: retry)
    }

    /// Returns the version of a picture, which depends only on its bytes: 32 hex digits.
    package static func version(of bytes: ByteBuffer) -> String {
        Hex.encode(Data(SHA256.hash(data: Data(bytes.readableBytesView))).prefix(16))
    }

    /// Returns the bytes of an account's picture; `nil` if there is none. One read.
    package func load(_ user: UserID) async throws(ProfileError) -> ByteBuffer? { try await read(user)?.bytes }

    /// Replaces or removes the picture by compare-and-swap. One read and one write.
    /// - Parameters:
    ///   - bytes: The new picture; `nil` to remove it.
    ///   - condition: Its tags are versions.
    /// - Throws: `preconditionFailed`.
    package func replace(
        by bytes: ByteBuffer?, for user: UserID, if condition: ProfileCondition
    ) async throws(ProfileError) {
        for attempt in 0..<writes.retry.attempts {
            let current = try await read(user)
            switch condition {
            case .any: break
            case .exists: guard current != nil else { throw .preconditionFailed }
            case .oneOf(let versions):
                guard let current, versions.contains(Self.version(of: current.bytes)) else {
                    throw .preconditionFailed
                }
            }
            if try await write(bytes, after: current, user) { return }
            await writes.retry.pause(after: attempt)
        }
        throw .contended
    }

    /// Returns whether the change took effect.
    private func write(
        _ bytes: ByteBuffer?, after current: StoredObject?, _ user: UserID
    ) async throws(ProfileError) -> Bool {
        do {
            guard let bytes else {
                guard let current else { return true }
                return try await writes.delete(Self.key(user), if: .matches(current.etag))
            }
            let condition = current.map { PutCondition.matches($0.etag) } ?? .absent
            if case .written = try await writes.put(Self.key(user), bytes, if: condition) { return true }
            return false
        } catch {
            throw .store(error)
        }
    }

    private func read(_ user: UserID) async throws(ProfileError) -> StoredObject? {
        do {
            return try await writes.store.get(Self.key(user), limit: ProfilePictureLimit.bytes)
        } catch {
            throw .store(error)
        }
    }

    private static func key(_ user: UserID) -> ObjectKey { ObjectKey(known: StorageLayout.picture(user)) }
}
