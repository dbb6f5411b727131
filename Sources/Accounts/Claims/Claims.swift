import Foundation
import ObjectStorage
import PhotolalaAPI

/// The stored identity bindings and e-mail hints. An object is created only if its key is free and deleted only if it
/// is unchanged since it was read.
struct Claims: Sendable {
    let writes: ConditionalWrites

    init(writes: ConditionalWrites) { self.writes = writes }

    /// The result of writing a binding.
    enum Outcome: Sendable {
        /// The key holds our binding.
        case ours
        /// The key holds another binding. `isSure` is `true` if no earlier attempt of this write can still arrive.
        case taken(isSure: Bool)
    }

    /// Reads the binding at a key with its tag; `nil` if there is none.
    func read(_ key: ObjectKey) async throws(AccountError) -> Stored<Claim>? {
        let object = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.store.get(key, limit: 256)
        }
        guard let object else { return nil }
        guard let claim = Claim(object.bytes) else { throw .corrupted("a claim that is none") }
        return Stored(value: claim, etag: object.etag)
    }

    /// Creates a binding at a free key. The result is `ours` only if both account id and link id match.
    /// - Parameter mayWrite: checked before every attempt; `false` ends the operation with `tooSlow`.
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

    /// Writes a binding under all its keys, in order, until one is taken.
    func write(
        _ claim: Claim, under names: IdentityNames, mayWrite: @Sendable () -> Bool = { true }
    ) async throws(AccountError) -> Outcome {
        var isSure = true
        for key in names.keys {
            if case .taken(let isSureHere) = try await write(claim, at: key, mayWrite: mayWrite) {
                return .taken(isSure: isSure && isSureHere)
            }
            // The binding at the first key exists; attempts of it may arrive even after it is removed.
            isSure = false
        }
        return .ours
    }

    /// Deletes a binding if it is unchanged since it was read.
    func remove(_ claim: Stored<Claim>, at key: ObjectKey) async throws(AccountError) {
        _ = try await AccountError.storing { () throws(ObjectStoreError) in
            try await writes.delete(key, if: .matches(claim.etag))
        }
    }

    /// Deletes this binding under all its keys; other bindings stay.
    func remove(_ claim: Claim, under names: IdentityNames) async throws(AccountError) {
        for key in names.keys { try await remove(claim, at: key) }
    }

    /// Deletes the binding at a key if it equals this one.
    func remove(_ claim: Claim, at key: ObjectKey) async throws(AccountError) {
        guard let found = try await read(key), found.value == claim else { return }
        try await remove(found, at: key)
    }
}
