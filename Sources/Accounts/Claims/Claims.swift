import Foundation
import ObjectStorage
import PhotolalaAPI

/// The claims of provider identities and of e-mail hints: created only where nothing is, deleted only as they were
/// read.
struct Claims: Sendable {
    let writes: ConditionalWrites

    /// What came of writing a claim.
    enum Outcome: Sendable {
        /// It is there, and it is ours.
        case ours
        /// Somebody else's is there. `isSure` tells that no earlier try of ours can still arrive.
        case taken(isSure: Bool)
    }

    /// The claim at a key with its tag, `nil` when there is none.
    func read(_ key: ObjectKey) async throws(AccountError) -> Stored<Claim>? {
        let object = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.store.get(key, limit: 256)
        }
        guard let object else { return nil }
        guard let claim = Claim(object.bytes) else { throw .corrupted("a claim that is none") }
        return Stored(value: claim, etag: object.etag)
    }

    /// Writes a claim where nothing is. It is ours only if both its lines are.
    /// - Parameter mayWrite: asked before every try; `false` ends the act with `tooSlow`.
    func write(
        _ claim: Claim, at key: ObjectKey, mayWrite: @Sendable () -> Bool = { true }
    ) async throws(AccountError) -> Outcome {
        let outcome = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.put(key, claim.bytes, if: .absent, mayTry: mayWrite)
        }
        switch outcome {
        case .written: return .ours
        case .refused(let isSure): return .taken(isSure: isSure)
        case .stopped: throw .tooSlow
        }
    }

    /// Writes a claim under all its names, in their order, as far as they are free.
    func write(
        _ claim: Claim, under names: IdentityNames, mayWrite: @Sendable () -> Bool = { true }
    ) async throws(AccountError) -> Outcome {
        var isSure = true
        for key in names.keys {
            if case .taken(let isSureHere) = try await write(claim, at: key, mayWrite: mayWrite) {
                return .taken(isSure: isSure && isSureHere)
            }
            // The first name stands; tries of it may arrive even after it was removed again.
            isSure = false
        }
        return .ours
    }

    /// Deletes a claim if it is still the one that was read; one that changed meanwhile stays.
    func remove(_ claim: Stored<Claim>, at key: ObjectKey) async throws(AccountError) {
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.delete(key, if: .matches(claim.etag))
        }
    }

    /// Deletes the claims under these names that are this one.
    func remove(_ claim: Claim, under names: IdentityNames) async throws(AccountError) {
        for key in names.keys { try await remove(claim, at: key) }
    }

    /// Deletes the claim at a key if it is this one.
    func remove(_ claim: Claim, at key: ObjectKey) async throws(AccountError) {
        guard let found = try await read(key), found.value == claim else { return }
        try await remove(found, at: key)
    }
}
