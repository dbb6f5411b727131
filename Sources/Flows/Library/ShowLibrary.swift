import PhotoLibrary
import PhotolalaAPI

extension Services {
    /// The caller's library for a page, which may ask for more of it as it is now, whatever changes meanwhile. One request
    /// where it is in memory and did not change.
    /// - Throws: `catalogDamaged`, `catalogUnusable`; `rateLimited` where the account's libraries were read for too long,
    ///   `unavailable` while too many libraries are being read.
    package func showLibrary(_ caller: Caller) async throws(FlowError) -> OpenLibrary {
        if let known = libraries.memory.library(of: caller.user), let shown = known.shown,
            shown.name == known.newest.head.name
        {
            let catalogs = try await catalogs(of: caller)
            if try await step({ try await catalogs.isNewest(known.newest) }) { return shown }
        }
        return try await readLibrary(caller) { catalogs in
            let version = try await newest(of: caller, catalogs)
            let library = OpenLibrary(version)
            libraries.keep(shown: library, of: caller.user)
            return library
        }
    }

    /// The caller's library as the last page has shown it. No request where it is in memory.
    /// - Throws: `changedMeanwhile` where it is not, and the library is another one by now.
    package func library(_ caller: Caller, named name: String) async throws(FlowError) -> OpenLibrary {
        if let shown = libraries.memory.library(of: caller.user)?.shown, shown.name == name { return shown }
        let library = try await showLibrary(caller)
        guard library.name == name else { throw .changedMeanwhile }
        return library
    }

    /// Does something for which a library is read, in its turn: what is read at one time is bounded.
    func readLibrary<Value: Sendable>(
        _ caller: Caller, _ act: (CatalogStore) async throws -> Value
    ) async throws(FlowError) -> Value {
        var lanes = libraries.lanes(for: libraries.memory.library(of: caller.user))[...]
        while let lane = lanes.popFirst() {
            let catalogs = try await catalogs(of: caller, lane.sizes)
            do {
                return try await lane.room.read(for: caller.user) { try await act(catalogs) }
            } catch {
                guard Self.isTooLarge(error), !lanes.isEmpty else { throw FlowError(error) }
            }
        }
        throw .catalogUnusable("no lane")
    }

    /// The newest catalog, which is kept.
    func newest(of caller: Caller, _ catalogs: CatalogStore) async throws -> CatalogStore.Version {
        let version =
            if let known = libraries.memory.library(of: caller.user)?.newest {
                try await catalogs.newest(after: known)
            } else {
                try await catalogs.load()
            }
        libraries.keep(version, of: caller.user)
        return version
    }

    /// The caller's catalog; not to be read with what is given for its sizes by default.
    func catalogs(of caller: Caller, _ sizes: CatalogSizes = CatalogSizes()) async throws(FlowError) -> CatalogStore {
        libraries.catalogs(
            caller.user, try await heldCredentials(caller), device: caller.device.value.id, sizes: sizes)
    }

    /// How far the caller may go in the store.
    func access(of caller: Caller) throws(FlowError) -> StorageAccessLevel {
        guard let access = tiers.storageAccess(of: caller.account.value) else { throw .sessionEnded }
        return access
    }

    private static func isTooLarge(_ error: any Error) -> Bool {
        switch error {
        case CatalogError.tooLarge, SelectionError.catalog(.tooLarge): true
        default: false
        }
    }
}
