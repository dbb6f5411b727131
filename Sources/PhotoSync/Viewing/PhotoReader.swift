import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Reads single photos of a library from the store, for display.
package struct PhotoReader: Sendable {
    let store: any ObjectStore
    package let user: UserID
    private let settings: RestoreSettings
    private let pause: Backoff

    package init(store: any ObjectStore, user: UserID, settings: RestoreSettings = RestoreSettings(), pause: Backoff) {
        (self.store, self.user, self.settings, self.pause) = (store, user, settings, pause)
    }

    /// Returns a photo's thumbnail or preview, or `nil` if it has none. One request.
    /// - Throws: `contentMismatch` if the object is not one.
    package func picture(
        _ kind: PictureKind, of photo: ContentDigest
    ) async throws(RestoreFailure) -> ByteBuffer? {
        let object: StoredObject?
        do {
            object = try await store.get(kind.key(of: photo, user), limit: kind.sizeLimit)
        } catch {
            if case .tooLarge = error { throw .contentMismatch }
            throw RestoreFailure(reading: error)
        }
        guard let object else { return nil }
        guard kind.accepts(object.bytes) else { throw .contentMismatch }
        return object.bytes
    }

    /// Returns a range of a photo's bytes. One request. Only their number and the size of the photo are checked.
    /// - Parameter range: A range inside of the photo that is not empty.
    package func data(of photo: CatalogEntry, _ range: Range<Int64>) async throws(RestoreFailure) -> ByteBuffer {
        let key = ObjectKey(known: StorageLayout.photo(user, md5: photo.md5.description))
        let bytes: ByteBuffer
        do {
            let last = range.upperBound - 1
            guard let reading = try await store.read(key, range: .closed(first: range.lowerBound, last: last)) else {
                throw RestoreFailure.notStored
            }
            guard reading.info.size == photo.size, reading.offsets == range else {
                throw RestoreFailure.contentMismatch
            }
            bytes = try await reading.body.collect(atMost: range.count)
        } catch let error as RestoreFailure {
            throw error
        } catch let error as ObjectStoreError {
            if case .rangeNotSatisfiable = error { throw .contentMismatch }
            throw RestoreFailure(reading: error)
        } catch {
            throw .store(.unavailable("\(error)"))
        }
        guard bytes.readableBytes == range.count else { throw .store(.unavailable("incomplete response")) }
        return bytes
    }

    /// Downloads a photo to a folder, unless it is there. The file gets its name after its MD5 was checked, and no file
    /// is replaced. An interrupted download of a large file is resumed by the next one.
    /// - Parameter photo: Its path is the file's name in the folder.
    /// - Returns: Whether the file is new.
    /// - Throws: `exists` if the name is taken by other content, or while another process downloads the photo.
    @discardableResult package func download(_ photo: CatalogEntry, into folder: String) async throws(RestoreFailure)
        -> Bool
    {
        let name = photo.path.name
        let handle: FolderHandle
        let isThere: Bool
        do {
            (handle, isThere) = try await FileWork.run { () throws(FileError) in
                try LocalFolder.create(folder)
                let handle = try FolderHandle(folder)
                guard try handle.fingerprint(of: name) != nil else { return (handle, false) }
                let file = try OpenFile(in: handle, name: name)
                guard try file.fingerprint().size == photo.size, try file.digest() == photo.md5 else {
                    throw FileError.exists
                }
                return (handle, true)
            }
        } catch { throw .file(error) }
        if isThere { return false }
        let restore = Restore(store: store, user: user, settings: settings, pause: pause)
        let step = RestoreStep(
            entry: photo, folder: handle, restore: restore, refusal: ArchiveRefusal(), report: { _ in })
        switch await step.run() {
        case .restored: return true
        case .alreadyThere: return false
        case .restoredBeside(let other):
            // Another file got the name during the download.
            _ = try? await FileWork.run { () throws(FileError) in handle.remove(other) }
            throw .file(.exists)
        case .failed(let failure): throw failure
        }
    }
}

extension ObjectBody {
    /// Returns all bytes; stops after `limit` bytes and one chunk.
    fileprivate func collect(atMost limit: Int) async throws -> ByteBuffer {
        var bytes = ByteBuffer()
        for try await var chunk in self {
            bytes.writeBuffer(&chunk)
            guard bytes.readableBytes <= limit else { throw RestoreFailure.contentMismatch }
        }
        return bytes
    }
}
