#if os(Linux) || os(macOS)
    import CThumbnailWorker
    import Foundation
    import PhotoCatalog
    import PhotoSync
    import Synchronization

    /// Creates thumbnails and previews with libvips, with ffmpeg of the first frame of videos, and of the JPEG that cameras
    /// store in RAW files, in worker processes
    /// (`photolala-thumbnailer`), which start with the first thumbnails and are used again.
    ///
    /// A malicious photo may exploit its decoder. A worker therefore decodes each photo in a child process of its own,
    /// which receives the open file without a path, writes to its output only and has limited memory and time; libvips
    /// also disables the decoders that it does not trust. On Linux the child process cannot open files, start programs or
    /// use the network; ffmpeg can read files, but not change them. Elsewhere this user's files are only as safe as
    /// libvips and ffmpeg are.
    package final class VipsThumbnailMaker: PictureMaker {
        /// The path of the worker.
        private let program: String
        private let ffmpeg: String?
        private let timeLimit: Duration
        private let pause: @Sendable (Duration) async throws -> Void
        private let slots: WorkerSlots
        private let state = Mutex(State())

        private struct State {
            var idle: [ThumbnailWorker] = []
            var isMissing = false
        }

        /// - Parameters:
        ///   - worker: The path of `photolala-thumbnailer`.
        ///   - ffmpeg: The path of ffmpeg; without it videos have no thumbnails.
        ///   - processes: The maximum number of workers.
        ///   - timeLimit: The maximum time for one thumbnail. Its CPU time and memory are limited by the worker.
        ///   - pause: Sleeps for the time limit of one thumbnail.
        package init(
            worker: String, ffmpeg: String? = nil, processes: Int, timeLimit: Duration = .seconds(60),
            pause: @escaping @Sendable (Duration) async throws -> Void
        ) {
            program = worker
            self.ffmpeg = ffmpeg
            slots = WorkerSlots(max(1, processes))
            self.timeLimit = timeLimit
            self.pause = pause
        }

        /// Returns the path of the worker: beside a program, or in the folders of a search path (`PATH`); `nil` if it is
        /// not found.
        package static func findWorker(beside program: String?, in path: String) -> String? {
            let beside = program.map { ($0 as NSString).deletingLastPathComponent + ":" } ?? ""
            return find("photolala-thumbnailer", in: beside + path)
        }

        /// Returns the path of ffmpeg in the folders of a search path (`PATH`); `nil` if it is not found.
        package static func findFFmpeg(in path: String) -> String? { find("ffmpeg", in: path) }

        private static func find(_ program: String, in path: String) -> String? {
            path.split(separator: ":").lazy.map { "\($0)/\(program)" }
                .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// The worker's kind of files for each type of videos that ffmpeg reads.
        private static let videos: [MediaType: Int] = [
            .mp4: PHOTOLALA_VIDEO, .quickTime: PHOTOLALA_VIDEO, .mobile3GPP: PHOTOLALA_VIDEO, .avi: PHOTOLALA_AVI,
            .matroska: PHOTOLALA_MATROSKA, .webm: PHOTOLALA_MATROSKA, .mpegTransport: PHOTOLALA_MPEG_TRANSPORT,
            .mpegProgram: PHOTOLALA_MPEG_PROGRAM, .windowsMedia: PHOTOLALA_WINDOWS_MEDIA, .flash: PHOTOLALA_FLASH,
            .ogg: PHOTOLALA_OGG,
        ]

        /// Returns whether libvips reads the type with its own decoders or with ones that it trusts, or ffmpeg does.
        package func canMake(_ type: MediaType) -> Bool {
            let photos: [MediaType] = [.jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff]
            return photos.contains(type) || Self.hasEmbeddedJPEG(type) || ffmpeg != nil && Self.videos[type] != nil
        }

        package func lacksProgram(for type: MediaType) -> Bool { ffmpeg == nil && Self.videos[type] != nil }

        package func statesDuration(of type: MediaType) -> Bool { ffmpeg != nil && Self.videos[type] != nil }

        /// Stands for a worker that is not installed: would make thumbnails of photos and videos, and makes none.
        package static var notInstalled: VipsThumbnailMaker {
            let maker = VipsThumbnailMaker(worker: "", ffmpeg: "", processes: 1) { _ in }
            maker.state.withLock { $0.isMissing = true }
            return maker
        }

        /// Whether the worker looks for an embedded JPEG.
        private static func hasEmbeddedJPEG(_ type: MediaType) -> Bool {
            [.fujiRAF, .canonCR3, .sigmaX3F].contains(type) || type.isRAW && type.isTIFFBased
        }

        package var runsPrograms: Bool { true }

        package var isMissing: Bool { state.withLock { $0.isMissing } }

        package func pictures(
            of path: String, type: MediaType, preview: Int?
        ) async throws(ThumbnailError) -> Pictures {
            guard !isMissing else { throw .missing }
            guard await slots.acquire() else { throw .cancelled }
            defer { slots.release() }
            let file: OpenFile
            do {
                file = try await FileWork.run { () throws(FileError) in try OpenFile(path) }
            } catch { throw error == .cancelled ? .cancelled : .notMade }
            let worker = state.withLock { $0.idle.popLast() } ?? ThumbnailWorker(program, ffmpeg: ffmpeg)
            let kind = Self.videos[type] ?? (Self.hasEmbeddedJPEG(type) ? PHOTOLALA_RAW : PHOTOLALA_PHOTO)
            switch await outcome(of: file, kind: kind, preview: preview, by: worker) {
            case .reply(.made(let pictures)):
                state.withLock { $0.idle.append(worker) }
                return pictures
            case .reply(.notMade):
                state.withLock { $0.idle.append(worker) }
                throw .notMade
            case .reply(.missing):
                state.withLock { $0.isMissing = true }
                throw .missing
            case .reply(.failed(let detail)): throw Task.isCancelled ? .cancelled : .toolFailed(detail)
            case .late: throw Task.isCancelled ? .cancelled : .tooSlow
            }
        }

        private enum Outcome {
            case reply(ThumbnailWorker.Reply)
            case late
        }

        /// Waits for a worker's reply, and kills the worker after the time limit, on cancellation and when it fails.
        private func outcome(of file: OpenFile, kind: Int, preview: Int?, by worker: ThumbnailWorker) async -> Outcome {
            await withTaskGroup(of: Outcome.self) { group in
                group.addTask { .reply(await worker.reply(to: file, kind: kind, preview: preview)) }
                group.addTask {
                    try? await self.pause(self.timeLimit)
                    return .late
                }
                let first = await group.next() ?? .late
                switch first {
                case .reply(.made), .reply(.notMade): break
                case .reply(.missing), .reply(.failed), .late: await worker.kill()
                }
                group.cancelAll()
                return first
            }
        }

        package func endIdleProcesses() async {
            let workers = state.withLock { state in
                defer { state.idle = [] }
                return state.idle
            }
            for worker in workers { await worker.end() }
        }
    }
#endif
