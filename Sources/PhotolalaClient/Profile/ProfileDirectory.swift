import Foundation
import PhotolalaAPI
import Secrets

/// The folder in which one device keeps who it is and its session. Several folders on one machine are several devices;
/// several processes may share one. It is left out of backups on Apple platforms; elsewhere leave it out yourself.
///
/// It holds `device.json`, `secrets/` (sealed) and lock files, all readable by their owner only.
public struct ProfileDirectory: Sendable {
    /// The folder.
    public let url: URL
    let folder: PrivateFolder
    private let randomness: Randomness

    /// Characters in a device's name.
    package static let nameLimit = 100
    private static let deviceFile = "device.json"
    private static let secretsFolder = "secrets"

    /// Opens the folder, or makes it.
    /// - Throws: `localStorageFailed` when it cannot be made or others can look into it.
    public init(_ url: URL) throws(PhotolalaError) { try self.init(url, randomness: .system) }

    package init(_ url: URL, randomness: Randomness) throws(PhotolalaError) {
        self.url = url.standardizedFileURL
        self.randomness = randomness
        do {
            folder = try PrivateFolder(self.url.path, randomness: randomness)
        } catch {
            throw PhotolalaError(local: error)
        }
        excludeFromBackups()
    }

    /// What the device keeps is its own: on another device it would be a second holder of the same id.
    private func excludeFromBackups() {
        #if canImport(Darwin)
            var (place, values) = (url, URLResourceValues())
            values.isExcludedFromBackup = true
            // Where it cannot be set, a copied folder is still told by its inode.
            try? place.setResourceValues(values)
        #endif
    }

    /// This device. Its id is chosen at the first call and kept.
    /// - Parameters:
    ///   - name: what to call the device; the machine's name when left out. A new name replaces the old one.
    ///   - session: the device that the stored session was opened on.
    /// - Throws: `localStorageFailed`.
    func device(name: String? = nil, session: DeviceID? = nil) throws(PhotolalaError) -> KeptDevice {
        do {
            return try sessionLock.alone { () throws(SecretStorageError) in
                let kept = try keptDevice()
                var device = KeptDevice.current(
                    kept, session: session, folder: try folder.inode(), name: name ?? Self.machineName,
                    platform: Self.platform, randomness: randomness)
                if let name { device.name = name }
                if device != kept { try folder.replace(Self.deviceFile, with: encoded(device)) }
                return device
            }
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    /// The sealed files of this folder.
    /// - Throws: `localStorageFailed`.
    public func fileSecretStorage() throws(PhotolalaError) -> FileSecretStorage {
        do {
            return try secrets()
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    /// Forgets what cannot be used of the sealed files and of the device's description, to make way for a new sign-in.
    /// What can be used stays, and what the device knows of its library always does.
    /// - Returns: what was forgotten and why, a sentence each.
    /// - Throws: `localStorageFailed`.
    public func forgetUnusable() throws(PhotolalaError) -> [String] {
        let reasons: [String]
        do {
            reasons = try sessionLock.alone { () throws(SecretStorageError) in
                try forgetDeviceUnlessUsable() + forgetKeyUnlessUsable()
            }
        } catch {
            throw PhotolalaError(local: error)
        }
        return reasons + (try SessionVault(storage: try fileSecretStorage(), lock: sessionLock).forgetUnusable())
    }

    private func secrets() throws(SecretStorageError) -> FileSecretStorage {
        try FileSecretStorage(folder: folder.path(of: Self.secretsFolder), randomness: randomness)
    }

    private func forgetDeviceUnlessUsable() throws(SecretStorageError) -> [String] {
        do {
            _ = try keptDevice()
            return []
        } catch {
            guard error.isUnusable else { throw error }
            try folder.remove(Self.deviceFile)
            return [error.detail]
        }
    }

    private func forgetKeyUnlessUsable() throws(SecretStorageError) -> [String] {
        do {
            _ = try secrets()
            return []
        } catch {
            guard error.isUnusable else { throw error }
            try FileSecretStorage.forgetKey(folder: folder.path(of: Self.secretsFolder), randomness: randomness)
            return [error.detail]
        }
    }

    /// Where the device remembers which files it has read; made by whoever writes there.
    package var libraryStateFolder: String { folder.path(of: "library") }
    package var sessionLock: FileLock { FileLock(folder.path(of: "session.lock")) }
    package var refreshLock: FileLock { FileLock(folder.path(of: "refresh.lock")) }

    private func keptDevice() throws(SecretStorageError) -> KeptDevice? {
        guard let bytes = try folder.read(Self.deviceFile) else { return nil }
        guard let device = try? WireJSON.decoder().decode(KeptDevice.self, from: bytes) else {
            throw SecretStorageError(detail: "\(folder.path(of: Self.deviceFile)) is damaged.", isUnusable: true)
        }
        return device
    }

    private func encoded(_ device: KeptDevice) throws(SecretStorageError) -> Data {
        do {
            return try WireJSON.encoder().encode(device)
        } catch {
            throw SecretStorageError(detail: "The device's name cannot be written.")
        }
    }

    private static var machineName: String {
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
        return name.isEmpty ? "This device" : Self.cut(name)
    }

    /// As much of a name as the server takes: it counts scalars, and no letter is cut in two.
    package static func cut(_ name: String) -> String {
        var name = name
        while name.unicodeScalars.count > nameLimit { name.removeLast() }
        return name
    }

    private static var platform: String {
        #if os(macOS)
            "macos"
        #elseif os(iOS)
            "ios"
        #elseif os(Linux)
            "linux"
        #else
            "other"
        #endif
    }
}
