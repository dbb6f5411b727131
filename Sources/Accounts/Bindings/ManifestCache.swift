import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// An instance's cached view of the store manifest: the binding keys in force. It reads the manifest again at an
/// interval, outside of requests; an operation that finds the cached view expired reads the manifest first.
package final class ManifestCache: Sendable {
    private let manifests: Documents<StoreManifest>
    private let keyRing: KeyRing
    private let schedule: RekeyingSchedule
    private let now: @Sendable () -> Date
    private let cached: Mutex<(naming: BindingKeyResolver, readAt: Date)>

    /// - Parameter readAt: a time before the manifest was read.
    package init(
        _ manifest: StoreManifest, readAt: Date, store: any ObjectStore, keyRing: KeyRing, retry: RetryPolicy,
        now: @escaping @Sendable () -> Date
    ) throws(StoreManifestError) {
        manifests = Documents(store: store, retry: retry)
        self.keyRing = keyRing
        self.now = now
        schedule = RekeyingSchedule(manifest.environment)
        cached = Mutex((try BindingKeyResolver(manifest, keyRing: keyRing), readAt))
    }

    /// Returns the binding keys in force. No read unless the cached view has expired.
    package func resolver() async throws(AccountError) -> BindingKeyResolver {
        let (naming, readAt) = cached.withLock { $0 }
        let age = now().timeIntervalSince(readAt)
        // If the clock was set back, the age is unknown.
        guard age >= 0, age < schedule.maximumAge else { return try await read() }
        return naming
    }

    /// Reads the manifest again. One read.
    /// - Throws: also if the manifest names a master key that this instance does not have, or a legacy import is in
    ///   progress.
    package func refresh() async throws(AccountError) { _ = try await read() }

    private func read() async throws(AccountError) -> BindingKeyResolver {
        let readAt = now()
        let manifest = try await AccountError.mapStoreErrors { () throws(ObjectStoreError) in
            try await manifests.load(StoreManifest.key)
        }
        guard let manifest else { throw .corrupted("missing store manifest") }
        let naming: BindingKeyResolver
        do {
            try manifest.value.checkServable()
            naming = try BindingKeyResolver(manifest.value, keyRing: keyRing)
        } catch {
            throw .bindingKeysUnavailable(error)
        }
        cached.withLock { known in
            // A read that began after this one is newer, unless the clock was set back in between.
            if known.readAt <= readAt || known.readAt > now() { known = (naming, readAt) }
        }
        return naming
    }
}
