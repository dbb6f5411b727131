import NIOCore
import PhotoCatalog

/// Makes thumbnails of stored previews, which have about a tenth of the bytes of originals.
struct ThumbnailRenewal: Sendable {
    let reader: PhotoReader
    let maker: any PictureMaker
    /// The folder of temporary files.
    let folder: String

    /// Makes the thumbnail of a photo of its stored preview.
    func pictures(of photo: ContentDigest) async throws(PreviewFillFailure) -> Pictures {
        let preview: ByteBuffer
        do throws(RestoreFailure) {
            guard let stored = try await reader.picture(.preview, of: photo) else { throw .notStored }
            preview = stored
        } catch { throw .original(error) }
        let file: PictureFile
        do throws(FileError) {
            file = try await PictureFile(of: photo, type: .jpeg, in: folder)
            try await file.write(preview, at: 0)
        } catch { throw .original(.file(error)) }
        let made: Result<Pictures, PreviewFillFailure>
        do throws(ThumbnailError) {
            made = .success(try await maker.pictures(of: file.path, type: .jpeg, preview: nil))
        } catch { made = .failure(.tool(error)) }
        await file.remove()
        return try made.get()
    }
}
