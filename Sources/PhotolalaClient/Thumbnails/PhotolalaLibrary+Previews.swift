import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import VipsThumbnails

extension PhotolalaLibrary {
    /// Creates the missing previews and thumbnails of photos that are in the library, by this device's tool, and adds the
    /// missing colors of thumbnails, cameras and durations to the catalog. Downloads
    /// the original of each photo that needs one, and of a video over 12 MiB its beginning and its index or end, a few at a
    /// time, and removes them again; of a photo that lacks only its color, the thumbnail. Running it again resumes it. Archived
    /// photos are skipped.
    ///
    /// Of a photo or video that lacks only its camera or duration, the bytes with the metadata are read, up to 1 MiB, and of a
    /// video of which only the tool finds the duration, its beginning and its end, up to 9 MiB. This device records what it
    /// read, and reads a photo without a camera only once.
    ///
    /// With `renewingThumbnails`, also replaces thumbnails of earlier versions, which have at most 256 pixels a side, by larger
    /// ones, and damaged ones. Reads each thumbnail once on each device, and again after it has changed, and to replace one
    /// downloads the preview, or the original if there is none. An old thumbnail stays until the new one is stored.
    ///
    /// With `verifying`, reads all thumbnails and previews of photos of which this device can create them, and replaces damaged
    /// ones.
    ///
    /// For photos in a folder of this device, ``backUp(_:selecting:verifying:thumbnails:)`` with `ofAllPhotos` does the same without
    /// downloads.
    /// - Parameters:
    ///   - filter: The photos to consider.
    ///   - retries: Whether photos are tried again of which nothing could be created. Otherwise only another version of the
    ///     tool tries them again.
    ///   - verifying: Whether damaged thumbnails and previews are looked for, and created again.
    ///   - renewingThumbnails: Whether small thumbnails are created again.
    /// - Throws: `syncUnderWay` while previews are created with this profile by another call or process.
    public func createPreviews(
        where filter: PhotoFilter = PhotoFilter(), retries: Bool = false, verifying: Bool = false,
        renewingThumbnails: Bool = false
    ) -> Transfer<TransferProgress, PreviewReport> {
        Transfer { progress throws(PhotolalaError) in
            try await createPreviews(
                where: filter, retries: retries, verifying: verifying, renewing: renewingThumbnails, progress: progress)
        }
    }

    private func createPreviews(
        where filter: PhotoFilter, retries: Bool, verifying: Bool, renewing: Bool,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> PreviewReport {
        let selection = try filter.checked()
        guard let maker = maker(for: .ofAllPhotos), let quality = previews.quality else {
            guard try await session.signedInUserID() != nil else { throw .notSignedIn }
            return PreviewReport(
                PreviewFillSummary(), lacksThumbnailTool: thumbnails == nil, stopped: nil, storage: nil)
        }
        let (user, store) = try await open(for: .backingUp)
        let uploads = uploads(to: store, of: user)
        let folder = "\(stateFolder)/previews/\(user)"
        let fill = PreviewFill(
            store: uploads, user: user, maker: maker, quality: quality, folder: folder,
            unmadeFile: "\(stateFolder)/previews-\(user).failed",
            detailsFile: "\(stateFolder)/details-\(user).read",
            tool: "photolala \(PhotolalaVersion.current) \(maker.version)", cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: PreviewFillSummary
        do throws(PreviewFillError) {
            let renewals = renewing ? "\(stateFolder)/thumbnails-\(user).renewed" : nil
            summary = try await fill.run(selection, retries: retries, verifies: verifying, renewals: renewals) {
                counter.record($0)
            }
        } catch {
            switch error {
            case .selection(let error): throw PhotolalaError(error)
            case .store(let error): throw PhotolalaError(error)
            case .underWay:
                throw PhotolalaError(
                    code: .syncUnderWay,
                    detail: "Previews are already being created on this device. Try again when that is done.")
            case .folder(let error):
                throw PhotolalaError(
                    code: error == .outOfSpace ? .outOfSpace : .localStorageFailed,
                    detail: "Cannot use the folder for temporary files, \(folder): \(error.message).",
                    cause: FailureCause(error))
            }
        }
        return PreviewReport(
            summary, lacksThumbnailTool: maker.isMissing, stopped: try await reason(for: summary.ending, of: user),
            storage: uploads.quota.storageUsage)
    }

    /// Whether thumbnails were requested and are not possible, as far as is known.
    func lacksThumbnailTool(for choice: ThumbnailChoice) -> Bool {
        choice != .none && thumbnails?.isMissing ?? true
    }

    /// Returns the tool that makes the wanted pictures or, on a device without one, the photos that lack them; `nil` if none
    /// are wanted.
    func maker(for choice: ThumbnailChoice) -> (any PictureMaker)? {
        choice == .none ? nil : thumbnails ?? Self.uninstalledMaker
    }

    /// Stands for a tool that is not installed, so that the photos that lack pictures are counted.
    private static var uninstalledMaker: (any PictureMaker)? {
        #if os(Linux) || os(macOS)
            return VipsThumbnailMaker.notInstalled
        #else
            return nil
        #endif
    }
}

/// The result of ``PhotolalaLibrary/createPreviews(where:retries:verifying:renewingThumbnails:)``.
public struct PreviewReport: Sendable, Codable, Equatable {
    /// The number of distinct contents without a preview or thumbnail that they should have, or with a damaged preview if
    /// these were looked for.
    public let missing: Int
    /// The number of these whose missing pictures were uploaded.
    public let created: Int
    /// The number of contents with a thumbnail to replace, as a small or damaged one; `nil` if these were not looked for. They
    /// count as missing only if they also lack a preview.
    public let thumbnailsToRenew: Int?
    /// The number of these thumbnails that were replaced.
    public let renewed: Int
    /// The number of other contents whose missing color was determined by their thumbnail, or known of another path, and added
    /// to the catalog.
    public let colored: Int
    /// The number of other contents whose missing camera or duration was read, or known of another path, and added to the
    /// catalog.
    public let described: Int
    /// The number of contents whose camera or duration was not read because they are archived.
    public let archivedDetails: Int
    /// Contents of which the tool could not create a picture, each under one of its paths.
    public let notCreated: [String]
    /// The number of contents of which an earlier run could not create a picture, and that were not tried again. They do not
    /// count as missing.
    public let skipped: Int
    /// Contents that were skipped because they are archived, each under one of its paths.
    public let archived: [String]
    /// Contents whose original could not be read, or whose pictures could not be uploaded, each under one of its paths.
    public let failures: [FileFailure]
    /// Whether this device lacks the tool.
    public let lacksThumbnailTool: Bool
    /// The number of videos without a preview or thumbnail, of which none is created because ffmpeg is not installed. They do
    /// not count as missing.
    public let videosWithoutTool: Int
    /// How the tool failed with a correct file, which stopped the run; `nil` if it did not.
    public let toolFailure: ThumbnailToolFailure?
    /// Why the run stopped early; `nil` if everything was tried.
    public let stopped: TransferStopReason?
    /// The account's storage usage, as far as this device knows; `nil` if nothing had to be sent.
    public let storage: StorageUsage?

    /// Whether everything that was tried was read and stored.
    public var isComplete: Bool {
        failures.isEmpty && stopped == nil && !lacksThumbnailTool && videosWithoutTool == 0 && toolFailure == nil
    }

    init(
        _ summary: PreviewFillSummary, lacksThumbnailTool: Bool, stopped: TransferStopReason?, storage: StorageUsage?
    ) {
        (missing, created) = (summary.missing, summary.made)
        (thumbnailsToRenew, renewed) = (summary.outdated, summary.renewed)
        colored = summary.colored
        described = summary.described
        archivedDetails = summary.archivedDetails
        notCreated = summary.notMade.map(\.description)
        skipped = summary.skipped
        archived = summary.archived.map(\.description)
        failures = summary.failures.map { FileFailure($0.path, $0.failure) }
        self.lacksThumbnailTool = lacksThumbnailTool
        videosWithoutTool = summary.lackingProgram
        toolFailure = summary.toolFailure.map { ThumbnailToolFailure($0) }
        self.stopped = stopped
        self.storage = storage
    }
}

/// A tool for thumbnails that fails with a correct file, such as a program that crashes.
public struct ThumbnailToolFailure: Sendable, Codable, Equatable {
    /// Whether the file was a video, for which the tool runs ffmpeg.
    public let isOfVideos: Bool
    /// How the tool failed, for a person.
    public let detail: String

    init(_ failure: PictureToolFailure) { (isOfVideos, detail) = (failure.isVideo, failure.reason) }
}
