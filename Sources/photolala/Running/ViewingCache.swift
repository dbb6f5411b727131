import Foundation
import PhotolalaClient

/// The folder of the photos and thumbnails that this user has viewed.
enum ViewingCache {
    static func folder(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return URL(fileURLWithPath: cache).appendingPathComponent("photolala")
        }
        let home =
            environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
            return home.appendingPathComponent("Library/Caches/photolala")
        #else
            return home.appendingPathComponent(".cache/photolala")
        #endif
    }

    /// Removes the cached photos of all accounts of this user.
    static func removeAll() async throws {
        let folder = folder()
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try await PhotoCache(folder: folder).removeAll()
    }
}
