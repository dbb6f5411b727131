import NIOCore
import ObjectStorage
import PhotoCatalog

/// The pictures of files without a path: those that their source has, and otherwise those that the tool makes of a temporary
/// copy.
struct SourcePictures: Sendable {
    let source: any FileSource
    /// Makes what the source does not have; `nil` if nothing is made.
    let step: ThumbnailStep?
    /// The folder of temporary copies.
    let folder: String

    /// The length of a file, in bytes, up to which it is read once more for its pictures.
    let longestFile: Int64

    /// Returns the pictures of a file that was read.
    /// - Throws: Cancellation, and `changedWhileRead`. If anything else fails, the photo is backed up without them.
    func make(
        _ file: ScannedFile, _ inspection: FileInspection
    ) async throws(BackupFailure) -> ThumbnailStep.Product {
        let (size, facts) = (inspection.fingerprint.size, inspection.facts)
        let small = try await source.picture(.thumbnail, of: file, facts).flatMap { Thumbnail(jpeg: $0) }
        let isLarge = Preview.isUseful(for: file.type, size: size, facts)
        let wantsPreview = isLarge && step?.previewQuality != nil
        if let small {
            let large =
                wantsPreview
                ? try await source.picture(.preview, of: file, facts).flatMap { Preview(jpeg: $0) } : nil
            if large != nil || !wantsPreview { return .pictures(Pictures(thumbnail: small, preview: large)) }
        }
        let own = small.map { ThumbnailStep.Product.pictures(Pictures(thumbnail: $0)) }
        guard let step, step.maker.canMake(file.type), inspection.bufferedFile != nil || size <= longestFile else {
            return own ?? .nothing(.none)
        }
        if step.maker.isMissing { return own ?? .nothing(.lacksTool) }
        let made = try await makeOfCopy(file, inspection, by: step)
        guard case .pictures(let pictures) = made else { return own ?? made }
        // Both thumbnails show the same photo.
        return .pictures(
            Pictures(
                thumbnail: small ?? pictures.thumbnail, preview: pictures.preview, color: pictures.color,
                duration: PictureFile.hasDuration(file.type, size: size) ? pictures.duration : nil))
    }

    private func makeOfCopy(
        _ file: ScannedFile, _ inspection: FileInspection, by step: ThumbnailStep
    ) async throws(BackupFailure) -> ThumbnailStep.Product {
        let copy: PictureFile
        do throws(FileError) {
            copy = try await PictureFile(of: inspection.md5, type: file.type, in: folder)
        } catch {
            return try ended(by: error)
        }
        let product: ThumbnailStep.Product
        do throws(BackupFailure) { product = try await make(file, inspection, copy, by: step) } catch {
            await copy.remove()
            throw error
        }
        await copy.remove()
        return product
    }

    private func make(
        _ file: ScannedFile, _ inspection: FileInspection, _ copy: PictureFile, by step: ThumbnailStep
    ) async throws(BackupFailure) -> ThumbnailStep.Product {
        let body =
            inspection.bufferedFile.map { ObjectBody($0.bytes) }
            ?? source.body(of: file, inspection, reportSent: { _ in })
        do {
            try await copy.write(body, isVideo: file.type.isVideo)
        } catch let error as FileError {
            return try ended(by: error)
        } catch {
            if Task.isCancelled { throw .file(.cancelled) }
            if error as? ObjectStoreError == .digestMismatch { throw .changedWhileRead }
            try await source.checkReadable(file)
            return .nothing(.notMade)
        }
        return try await step.make(of: copy.path, inspection, type: file.type)
    }

    private func ended(by error: FileError) throws(BackupFailure) -> ThumbnailStep.Product {
        if error == .cancelled { throw .file(error) }
        return .nothing(.notMade)
    }
}
