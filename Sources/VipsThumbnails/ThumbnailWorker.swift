#if os(Linux) || os(macOS)
    import CThumbnailWorker
    import NIOCore
    import PhotoCatalog
    import PhotoSync
    import Subprocess

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A worker process. It makes the pictures of one file at a time, and ends with this object at the latest.
    final class ThumbnailWorker: Sendable {
        enum Reply: Sendable {
            case made(Pictures)
            case notMade
            /// libvips is not installed.
            case missing
            case failed(String)
        }

        private struct Request: Sendable {
            let file: OpenFile
            let message: photolala_request
            let continuation: CheckedContinuation<Reply, Never>
        }

        private let requests: AsyncStream<Request>.Continuation
        private let process: Task<Void, Never>

        /// Starts the process.
        /// - Parameters:
        ///   - program: The path of the worker.
        ///   - ffmpeg: The path of ffmpeg, for videos.
        init(_ program: String, ffmpeg: String?) {
            let (stream, requests) = AsyncStream.makeStream(of: Request.self)
            self.requests = requests
            process = Task {
                let end: Reply
                do {
                    try await Self.run(program, ffmpeg, stream)
                    end = .failed("worker ended")
                } catch {
                    end = error as? LibraryMissing == nil ? .failed("\(error)") : .missing
                }
                for await request in stream { request.continuation.resume(returning: end) }
            }
        }

        deinit { requests.finish() }

        /// Sends a file and waits for the reply. Always returns after `kill`.
        /// - Parameters:
        ///   - kind: One of the kinds of files of `CThumbnailWorker`.
        ///   - preview: The JPEG quality of a preview, 1 to 100; `nil` for none.
        func reply(to file: OpenFile, kind: Int, preview: Int?) async -> Reply {
            let message = photolala_request(
                kind: UInt8(kind), quality: UInt8(preview.map { min(max($0, 1), 100) } ?? 0))
            return await reply(to: file, message)
        }

        private func reply(to file: OpenFile, _ message: photolala_request) async -> Reply {
            await withCheckedContinuation { continuation in
                let result = requests.yield(Request(file: file, message: message, continuation: continuation))
                if case .terminated = result { continuation.resume(returning: .failed("worker ended")) }
            }
        }

        /// Ends the idle process and waits for its end.
        func end() async {
            requests.finish()
            await process.value
        }

        /// Kills the process and its children and waits for their end.
        func kill() async {
            process.cancel()
            await end()
        }

        private struct LibraryMissing: Error {}

        /// Runs the process until the requests end, and answers each of them.
        private static func run(
            _ program: String, _ ffmpeg: String?, _ requests: AsyncStream<Request>
        ) async throws {
            var ends: [CInt] = [-1, -1]
            guard photolala_socket_pair(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "socketpair") }
            let socket = ends[0]
            // The process exits when this end is closed.
            defer { close(socket) }
            var options = PlatformOptions()
            // A group of its own: signals of the terminal reach only this process, which ends the group itself.
            options.processGroupID = 0
            options.teardownSequence = [
                .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
            ]
            _ = try await Subprocess.run(
                .path(.init(program)), arguments: Arguments(ffmpeg.map { [$0] } ?? []),
                // A crash of a decoder is expected.
                environment: .custom(["LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"]), platformOptions: options,
                input: .fileDescriptor(.init(rawValue: ends[1]), closeAfterSpawningProcess: true), output: .sequence,
                error: .discarded
            ) { execution in
                var replies = WorkerReplies(execution.standardOutput)
                switch try await replies.next() {
                case .ready: break
                case .libraryMissing: throw LibraryMissing()
                case .made, .preview, .color, .duration, .notMade: throw InvalidWorkerReply()
                }
                for await request in requests {
                    do {
                        request.continuation.resume(returning: try await answer(request, on: socket, &replies))
                    } catch {
                        request.continuation.resume(returning: .failed("\(error)"))
                        throw error
                    }
                }
                shutdown(socket, CInt(SHUT_RDWR))
            }
        }

        private static func answer(
            _ request: Request, on socket: CInt, _ replies: inout WorkerReplies
        ) async throws -> Reply {
            guard photolala_send_descriptor(socket, request.file.descriptor, request.message) == 0 else {
                throw IOError(errnoCode: errno, reason: "sendmsg")
            }
            var (reply, preview, color) = (try await replies.next(), Preview?.none, PictureColor?.none)
            var duration: MediaDuration?
            if case .preview(let bytes) = reply, request.message.quality > 0 {
                preview = Preview(jpeg: bytes)
                reply = try await replies.next()
            }
            if case .color(let average) = reply {
                color = average
                reply = try await replies.next()
            }
            if case .duration(let stated) = reply {
                duration = stated
                reply = try await replies.next()
            }
            switch reply {
            case .made(let bytes):
                guard let thumbnail = Thumbnail(jpeg: bytes) else { return .notMade }
                return .made(Pictures(thumbnail: thumbnail, preview: preview, color: color, duration: duration))
            case .notMade: return .notMade
            case .ready, .libraryMissing, .preview, .color, .duration: throw InvalidWorkerReply()
            }
        }
    }
#endif
