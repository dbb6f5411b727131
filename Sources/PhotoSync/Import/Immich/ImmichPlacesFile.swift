import ForeignExports
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// The names that imports of an Immich account have given away, as a file of this device.
struct ImmichPlacesFile: Sendable {
    private let folder: String
    private let path: String

    /// - Parameter source: The identity of the source.
    init(in stateFolder: String, user: UserID, source: String) {
        let name = ContentDigest(of: ByteBuffer(string: "\(user)\n\(source)"))
        (folder, path) = (stateFolder, "\(stateFolder)/source-\(name).places")
    }

    /// - Throws: `BackupError` if the file cannot be read. One that is not understood counts as absent: photos that get
    ///   other names are second copies.
    func read() async throws(BackupError) -> ImmichPlaces {
        do throws(FileError) {
            return try await FileWork.run { () throws(FileError) in
                let bytes = try StateFile.read(path)
                return (try? ImmichPlaces(Array(bytes.readableBytesView))) ?? ImmichPlaces()
            }
        } catch {
            if error == .missing { return ImmichPlaces() }
            throw BackupError(state: error, at: path)
        }
    }

    /// Locks the names for one import until the result is deinitialized.
    /// - Throws: `ImmichImportError` if another import has locked them, and `BackupError` if they cannot be locked.
    func lock() async throws -> OpenFile {
        do throws(FileError) {
            return try await FileWork.run { () throws(FileError) in
                try StateFile.lock("\(path).lock")
            }
        } catch {
            guard error == .exists else { throw BackupError(state: error, at: path) }
            throw ImmichImportError.underWay
        }
    }

    /// - Throws: `BackupError` if the file cannot be written.
    func replace(with places: ImmichPlaces) async throws(BackupError) {
        do throws(FileError) {
            try await FileWork.run { () throws(FileError) in
                try LocalFolder.create(folder)
                try StateFile.replace(path, with: ByteBuffer(bytes: places.bytes))
            }
        } catch {
            throw BackupError(state: error, at: path)
        }
    }
}
