import PhotoLibrary
import PhotolalaAPI
import Sessions

extension Services {
    /// The caller's library as it is now. One request where it is in memory and did not change.
    /// - Throws: `catalogDamaged`, `catalogUnusable`; `unavailable` while too many libraries are being read.
    package func library(_ caller: Caller) async throws(FlowError) -> OpenLibrary {
        let catalogs = try catalogs(of: caller)
        if let known = libraries.open[caller.user] {
            let version = try await step { try await catalogs.newest(after: known.version) }
            return version.head.name == known.name && version.head.isCommitted ? known : keep(version, for: caller)
        }
        let head = try await step { try await catalogs.head() }
        let version = try await libraries.reading.reading(Int(clamping: head.bytes) * OpenLibrary.bytesPerByte) {
            () async throws(FlowError) in
            try await step { try await catalogs.load(head) }
        }
        return keep(version, for: caller)
    }

    /// The caller's library as a page has shown it. No request where it is in memory.
    /// - Throws: `changedMeanwhile` where it is another one by now.
    package func library(_ caller: Caller, named name: String) async throws(FlowError) -> OpenLibrary {
        if let known = libraries.open[caller.user], known.name == name { return known }
        let library = try await library(caller)
        guard library.name == name else { throw .changedMeanwhile }
        return library
    }

    private func keep(_ version: CatalogStore.Version, for caller: Caller) -> OpenLibrary {
        let library = OpenLibrary(version)
        libraries.open.insert(library, for: caller.user, cost: library.cost)
        return library
    }

    /// The caller's catalog, as the caller's own credentials reach it.
    func catalogs(of caller: Caller) throws(FlowError) -> CatalogStore {
        libraries.catalogs(
            caller.user, store, device: caller.device.value.id, access: try access(of: caller))
    }

    /// How far the caller may go in the store.
    func access(of caller: Caller) throws(FlowError) -> StorageAccessLevel {
        guard let access = caller.account.value.storageAccess else { throw .sessionEnded }
        return access
    }
}
