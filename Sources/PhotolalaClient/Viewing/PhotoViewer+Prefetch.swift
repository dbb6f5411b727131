import PhotoSync

extension PhotoViewer {
    /// The number of photos of one prefetch that are loaded at the same time: as many as the queue permits.
    private static let parallelPhotos = 4

    private enum Outcome: Sendable {
        case thumbnail, noThumbnail, failure
    }

    /// Loads thumbnails into the cache.
    func prefetch(
        _ photos: [LibraryPhoto], _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> PrefetchReport {
        guard hasCache else { throw .withoutCache }
        var progress = TransferProgress()
        progress.totalFiles = photos.count
        report(progress)
        let result = await withTaskGroup(of: Result<Outcome, PhotolalaError>.self) { group in
            var (summary, remaining) = (PrefetchReport(), photos.makeIterator())
            func addNext() {
                guard let photo = remaining.next() else { return }
                group.addTask { await self.prefetch(photo) }
            }
            for _ in 0..<Self.parallelPhotos { addNext() }
            while let result = await group.next() {
                switch result {
                case .success(.thumbnail): summary.thumbnails += 1
                case .success(.noThumbnail): summary.photosWithoutThumbnail += 1
                case .success(.failure): summary.failures += 1
                case .failure(let error):
                    group.cancelAll()
                    return Result<PrefetchReport, PhotolalaError>.failure(error)
                }
                progress.finishedFiles += 1
                progress.failedFiles = summary.failures
                report(progress)
                addNext()
            }
            return .success(summary)
        }
        return try result.get()
    }

    private func prefetch(_ photo: LibraryPhoto) async -> Result<Outcome, PhotolalaError> {
        do throws(PhotolalaError) {
            return .success(try await picture(.thumbnail, of: photo, .prefetch) == nil ? .noThumbnail : .thumbnail)
        } catch {
            return [.photoArchived, .photoDamaged].contains(error.code) ? .success(.failure) : .failure(error)
        }
    }
}
