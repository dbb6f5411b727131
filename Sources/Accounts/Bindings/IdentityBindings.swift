import Foundation
import ObjectStorage
import PhotolalaAPI

/// The stored identity bindings and e-mail hints. An object is created only if its key is free and deleted only if it
/// is unchanged since it was read.
package struct IdentityBindings: Sendable {
    let writes: ConditionalWrites

    package init(writes: ConditionalWrites) { self.writes = writes }

    /// The result of writing a binding.
    package enum Outcome: Sendable {
        /// The key holds our binding.
        case owned
        /// The key holds another binding. `isSure` is `true` if no earlier attempt of this write can still arrive.
        case ownedByOther(isSure: Bool)
    }

    /// Reads the binding at a key with its tag; `nil` if there is none.
    package func read(_ key: ObjectKey) async throws(AccountError) -> Stored<IdentityBinding>? {
        let object = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await writes.store.get(key, limit: 256)
        }
        guard let object else { return nil }
        guard let binding = IdentityBinding(object.bytes) else { throw .corrupted("malformed identity binding") }
        return Stored(value: binding, etag: object.etag)
    }

    /// Creates a binding at a free key. The result is `owned` only if both account id and link id match.
    /// - Parameter mayWrite: checked before every attempt; `false` ends the operation with `tooSlow`.
    package func write(
        _ binding: IdentityBinding, at key: ObjectKey, mayWrite: @Sendable () -> Bool = { true }
    ) async throws(AccountError) -> Outcome {
        let outcome = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await writes.put(key, binding.bytes, if: .absent, mayTry: mayWrite)
        }
        switch outcome {
        case .written: return .owned
        case .preconditionFailed(let isSure): return .ownedByOther(isSure: isSure)
        case .abandoned: throw .signUpTooSlow
        }
    }

    /// Writes a binding under all its keys, in order, until one is taken.
    func write(
        _ binding: IdentityBinding, under bindingKeys: BindingKeys, mayWrite: @Sendable () -> Bool = { true }
    ) async throws(AccountError) -> Outcome {
        var isSure = true
        for key in bindingKeys.keys {
            if case .ownedByOther(let isSureHere) = try await write(binding, at: key, mayWrite: mayWrite) {
                return .ownedByOther(isSure: isSure && isSureHere)
            }
            // The binding at the first key exists; attempts of it may arrive even after it is removed.
            isSure = false
        }
        return .owned
    }

    /// Deletes a binding if it is unchanged since it was read.
    package func remove(_ binding: Stored<IdentityBinding>, at key: ObjectKey) async throws(AccountError) {
        _ = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await writes.delete(key, if: .matches(binding.etag))
        }
    }

    /// Deletes this binding under all its keys; other bindings stay.
    func remove(_ binding: IdentityBinding, under bindingKeys: BindingKeys) async throws(AccountError) {
        for key in bindingKeys.keys { try await remove(binding, at: key) }
    }

    /// Deletes the binding at a key if it equals this one.
    package func remove(_ binding: IdentityBinding, at key: ObjectKey) async throws(AccountError) {
        guard let found = try await read(key), found.value == binding else { return }
        try await remove(found, at: key)
    }
}
