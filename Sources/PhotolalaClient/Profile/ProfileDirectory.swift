import Foundation
import PhotolalaAPI
import Secrets

/// The folder in which one device stores its identity and session. Several folders on one machine are several devices;
/// several processes may share one folder. On Apple platforms, it is excluded from backups; on other platforms, exclude
/// it yourself.
///
/// It contains `device.json`, `server.json`, `renewal.json`, preferences, `secrets/` (sealed), `library/` and lock files,
/// all readable only by their owner. Locks are held for milliseconds, never during a call, except in `library/`.
public struct ProfileDirectory: Sendable {
    /// The location of the folder.
    public let url: URL
    let folder: PrivateFolder
    private let randomness: Randomness

    /// The maximum number of characters in a device's name.
    package static let nameLimit = 100
    private static let deviceFile = "device.json"
    static let renewalFile = "renewal.json"
    private static let secretsFolder = "secrets"
    private static let libraryFolder = "library"
    private static let libraryFolderElsewhere = "photolala-library"

    /// Opens the folder, or creates it.
    /// - Parameters:
    ///   - url: A folder for the SDK alone, such as `Photolala` in the app group that an app and its extensions share. The
    ///     root of a container is unusable if other users can access it.
    ///   - libraryState: The folder in which this process creates `photolala-library`, its records of the files that it
    ///     has read; by default, they are in `url`. A backup or sync holds a lock in them, and iOS ends an app that is
    ///     suspended with a lock in an app group: pass a folder in the app's own container there. Its other files are
    ///     never changed or removed.
    /// - Throws: `localStorageFailed` if the folder cannot be created, `localStateUnusable` if other users can access it:
    ///   see ``restrictAccess(to:)``.
    public init(_ url: URL, libraryState: URL? = nil) throws(PhotolalaError) {
        try self.init(url, libraryState: libraryState, randomness: .system)
    }

    package init(_ url: URL, libraryState: URL? = nil, randomness: Randomness) throws(PhotolalaError) {
        self.url = url.standardizedFileURL
        self.randomness = randomness
        let libraryElsewhere = libraryState?.standardizedFileURL.appendingPathComponent(Self.libraryFolderElsewhere)
        self.libraryElsewhere = libraryElsewhere?.path
        do {
            folder = try PrivateFolder(self.url.path, randomness: randomness)
            // A folder can be excluded from backups only if it exists.
            if let libraryElsewhere { _ = try PrivateFolder(libraryElsewhere.path, randomness: randomness) }
        } catch {
            throw PhotolalaError(local: error)
        }
        excludeFromBackups(self.url)
        if let libraryElsewhere { excludeFromBackups(libraryElsewhere) }
    }

    /// Makes a folder private that other users can access, so that a new sign-in is possible. Its key may be disclosed and
    /// is removed, which makes the session unusable; call ``forgetUnusable()`` next.
    /// - Returns: One error per folder that other users could access, except for an empty one, which disclosed nothing.
    /// - Throws: `localStorageFailed`.
    public static func restrictAccess(to url: URL) throws(PhotolalaError) -> [SecretStorageError] {
        let path = url.standardizedFileURL.path
        let secrets = "\(path)/\(secretsFolder)"
        do throws(SecretStorageError) {
            var open: [String] = []
            for folder in [path, secrets] where try PrivateFolder.restrict(folder) {
                // Read after the restriction: what was added before it is seen.
                if !PrivateFolder.isEmpty(folder) { open.append(folder) }
            }
            if !open.isEmpty, FileManager.default.fileExists(atPath: secrets) {
                try FileSecretStorage.forgetKey(folder: secrets, randomness: .system)
            }
            return open.map {
                SecretStorageError(
                    detail: "Other users could read \($0). It is private now.", isUnusable: true,
                    cause: FailureCause(.readableByOthers, ["path": $0]))
            }
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    /// Returns whether a folder has the sealed secrets of a device, such as its session.
    package static func hasSecrets(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: "\(url.standardizedFileURL.path)/\(secretsFolder)")
    }

    /// Excludes the folder from backups, because a restore to another device would duplicate the device's ID.
    private func excludeFromBackups(_ url: URL) {
        #if canImport(Darwin)
            var (folderURL, values) = (url, URLResourceValues())
            values.isExcludedFromBackup = true
            // If this fails, a copied folder is still detected by its inode.
            try? folderURL.setResourceValues(values)
        #endif
    }

    /// Returns this device. Its ID is chosen at the first call and stored.
    /// - Parameters:
    ///   - name: The device's name; the machine's name by default. A new name replaces the stored one.
    ///   - session: The device on which the stored session was opened.
    ///   - storage: The storage of the secrets, where the ID is stored as well if it outlives the folder.
    /// - Throws: `localStorageFailed`.
    func device(
        name: String? = nil, session: DeviceID? = nil, storage: (any SecretStorage)? = nil
    ) throws(PhotolalaError) -> StoredDevice {
        do {
            return try sessionLock.withLock { () throws(SecretStorageError) in
                let stored = try storedDevice()
                let kept = try KeptDeviceID(in: storage)
                var device = StoredDevice.current(
                    stored, session: session, kept: kept, folder: try folder.inode(), name: name ?? Self.machineName,
                    model: Self.model, platform: Self.platform, randomness: randomness)
                if let name { device.name = name }
                if let storage, !kept.permits(device.id) { try KeptDeviceID.save(device.id, in: storage) }
                if device != stored { try folder.replace(Self.deviceFile, with: encoded(device)) }
                return device
            }
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    /// Opens the sealed file storage of this folder.
    /// - Throws: `localStorageFailed`.
    public func fileSecretStorage() throws(PhotolalaError) -> FileSecretStorage {
        do {
            return try secrets()
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    /// Removes unusable sealed files and an unusable device description, so that a new sign-in is possible. Usable
    /// files and the recorded state of the library are kept. An app with another storage, such as the Keychain, calls
    /// ``forgetUnusable(in:)``.
    /// - Returns: Why each removed item was unusable.
    /// - Throws: `localStorageFailed`.
    public func forgetUnusable() throws(PhotolalaError) -> [SecretStorageError] {
        let reasons: [SecretStorageError]
        do {
            reasons = try sessionLock.withLock { () throws(SecretStorageError) in try forgetKeyUnlessUsable() }
        } catch {
            throw PhotolalaError(local: error)
        }
        return reasons + (try forgetUnusable(in: try fileSecretStorage()))
    }

    /// Removes an unusable session, pending identity and device description, so that a new sign-in is possible.
    /// - Parameter storage: The storage of the session, for example the app's `KeychainSecretStorage`.
    /// - Returns: Why each removed item was unusable.
    /// - Throws: `localStorageFailed`.
    public func forgetUnusable(in storage: any SecretStorage) throws(PhotolalaError) -> [SecretStorageError] {
        let reasons: [SecretStorageError]
        do {
            reasons = try sessionLock.withLock { () throws(SecretStorageError) in try forgetDeviceUnlessUsable() }
        } catch {
            throw PhotolalaError(local: error)
        }
        return reasons + (try SessionVault(storage: storage, lock: sessionLock).forgetUnusable())
    }

    /// Removes the device's ID, last server, secrets, preferences and the recorded state of the library. Other files
    /// stay, and so do lock files, which other processes may hold, and the folder of the secrets with its key, which
    /// the storage of a session has open.
    func removeContents() throws(PhotolalaError) {
        do {
            try sessionLock.withLock { () throws(SecretStorageError) in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
                let own = names.filter { name in
                    let files = [Self.deviceFile, Self.lastServerFile, Self.renewalFile]
                    return (files + [Self.libraryFolder]).contains(name)
                        || name.hasPrefix("preferences") && name.hasSuffix(".json")
                }
                var paths =
                    own.map(folder.path(of:)) + FileSecretStorage.secrets(in: folder.path(of: Self.secretsFolder))
                if let libraryElsewhere, FileManager.default.fileExists(atPath: libraryElsewhere) {
                    paths.append(libraryElsewhere)
                }
                for path in paths {
                    do {
                        try FileManager.default.removeItem(atPath: path)
                    } catch {
                        throw SecretStorageError(
                            detail: "Cannot remove \(path): \(error.localizedDescription)",
                            cause: FailureCause(.notRemoved, ["path": path]))
                    }
                }
            }
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    private func secrets() throws(SecretStorageError) -> FileSecretStorage {
        try FileSecretStorage(folder: folder.path(of: Self.secretsFolder), randomness: randomness)
    }

    private func forgetDeviceUnlessUsable() throws(SecretStorageError) -> [SecretStorageError] {
        do {
            _ = try storedDevice()
            return []
        } catch {
            guard error.isUnusable else { throw error }
            try folder.remove(Self.deviceFile)
            return [error]
        }
    }

    private func forgetKeyUnlessUsable() throws(SecretStorageError) -> [SecretStorageError] {
        do {
            _ = try secrets()
            return []
        } catch {
            guard error.isUnusable else { throw error }
            try FileSecretStorage.forgetKey(folder: folder.path(of: Self.secretsFolder), randomness: randomness)
            return [error]
        }
    }

    /// The folder in which the device records which files it has read. Created by its writers.
    package var libraryStateFolder: String { libraryElsewhere ?? folder.path(of: Self.libraryFolder) }
    private let libraryElsewhere: String?
    package var sessionLock: FileLock { FileLock(folder.path(of: "session.lock")) }

    private func storedDevice() throws(SecretStorageError) -> StoredDevice? {
        guard let bytes = try folder.read(Self.deviceFile) else { return nil }
        guard let device = try? WireJSON.decoder().decode(StoredDevice.self, from: bytes) else {
            let path = folder.path(of: Self.deviceFile)
            throw SecretStorageError(
                detail: "\(path) is damaged.", isUnusable: true, cause: FailureCause(.localFileDamaged, ["path": path]))
        }
        return device
    }

    private func encoded(_ device: StoredDevice) throws(SecretStorageError) -> Data {
        do {
            return try WireJSON.encoder().encode(device)
        } catch {
            throw SecretStorageError(detail: "Cannot store the device name.")
        }
    }

    private static var machineName: String {
        let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
        return name.isEmpty ? "This device" : Self.cut(name)
    }

    /// Shortens a name to the server's limit, which counts Unicode scalars, without splitting a character.
    package static func cut(_ name: String) -> String {
        var name = name
        while name.unicodeScalars.count > nameLimit { name.removeLast() }
        return name
    }

    /// The hardware model of Apple's devices, for example `iPhone17,1`; `nil` elsewhere.
    private static let model: String? = {
        #if os(macOS)
            let name = "hw.model"
        #elseif canImport(Darwin)
            let name = "hw.machine"
        #else
            return nil
        #endif
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1, size <= 64 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }()

    private static var platform: String {
        var name = "other"
        #if os(macOS)
            name = "macos"
        #elseif os(iOS)
            name = "ios"
        #elseif os(Linux)
            name = "linux"
        #endif
        return name
    }
}
