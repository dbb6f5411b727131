import Foundation
import PhotoCatalog

/// Shows libraries in the browser and changes them.
package struct LibraryService: Sendable {
    let libraries: Libraries
    let storageAccess: StorageAccessService
    let sensitiveActions: SensitiveActionPolicy
    let now: @Sendable () -> Date

    /// Returns the caller's library for a page, which can load more of this version later. One request if the library
    /// is cached and has not changed.
    /// - Throws: `catalogDamaged`, `catalogUnusable`; `rateLimited` if the account's libraries were read for too long;
    ///   `unavailable` while too many libraries are being read.
    package func showLibrary(_ caller: Caller) async throws(ServiceError) -> OpenLibrary {
        if let known = libraries.cache.library(of: caller.user), let shown = known.shown,
            shown.name == known.newest.head.name
        {
            let catalogs = try await catalogs(of: caller)
            if try await mapServiceErrors({ try await catalogs.isNewest(known.newest) }) { return shown }
        }
        return try await readLibrary(caller) { catalogs in
            let version = try await newestVersion(of: caller, catalogs)
            let library = OpenLibrary(version)
            libraries.store(shown: library, of: caller.user)
            return library
        }
    }

    /// Returns the version of the caller's library that the last page showed. No request if it is cached.
    /// - Throws: `changedMeanwhile` if it is not cached and the library has a newer version.
    package func shownVersion(_ caller: Caller, named name: String) async throws(ServiceError) -> OpenLibrary {
        if let shown = libraries.cache.library(of: caller.user)?.shown, shown.name == name { return shown }
        let library = try await showLibrary(caller)
        guard library.name == name else { throw .preconditionFailed }
        return library
    }

    /// Runs an operation that reads a library, within the limit of concurrent reads.
    /// - Parameter isContinued: Whether it ends a call that has used reading time of the account.
    func readLibrary<Value: Sendable>(
        _ caller: Caller, isContinued: Bool = false, _ act: (CatalogStore) async throws -> Value
    ) async throws(ServiceError) -> Value {
        let credentials = try await storageAccess.cachedCredentials(caller)
        return try await libraries.read(
            caller.user, credentials, device: caller.device.value.id, isContinued: isContinued, act)
    }

    /// Returns the caller's newest catalog.
    /// - Throws: `catalogDamaged`, `catalogUnusable`, `rateLimited`, `unavailable`, as `showLibrary`.
    func newestCatalog(_ caller: Caller) async throws(ServiceError) -> Catalog {
        try await readLibrary(caller) { try await newestVersion(of: caller, $0).catalog }
    }

    /// Loads the newest catalog and caches it.
    func newestVersion(of caller: Caller, _ catalogs: CatalogStore) async throws -> CatalogStore.Version {
        let version =
            if let known = libraries.cache.library(of: caller.user)?.newest {
                try await catalogs.newest(after: known)
            } else {
                try await catalogs.load()
            }
        libraries.store(version, of: caller.user)
        return version
    }

    /// Returns the caller's catalog store. Reading a catalog requires the sizes of a lane: the default sizes exceed the
    /// memory limit.
    func catalogs(of caller: Caller, _ sizes: CatalogSizes = CatalogSizes()) async throws(ServiceError) -> CatalogStore
    {
        libraries.catalogs(
            caller.user, try await storageAccess.cachedCredentials(caller), device: caller.device.value.id, sizes: sizes
        )
    }
}
