#if os(Linux) || os(macOS)
    import Foundation
    import NIOCore
    import PhotoCatalog
    import PhotoSync
    import Subprocess

    /// Creates thumbnails with libvips' `vipsthumbnail`, each in a separate process.
    ///
    /// A malicious photo may exploit its decoder. The process therefore receives the file as its input without a path,
    /// writes to its output only, must not write files and has limited memory and time; libvips also disables the
    /// decoders that it does not trust. The process runs as the same user, so this user's files are only as safe as
    /// libvips is.
    package struct VipsThumbnailMaker: ThumbnailMaker {
        /// The path of the tool.
        private let tool: String
        private let limits: ThumbnailLimits
        private let pause: @Sendable (Duration) async throws -> Void

        /// - Parameters:
        ///   - tool: The path of `vipsthumbnail`.
        ///   - pause: Sleeps for the time limit of one thumbnail.
        package init(
            tool: String, limits: ThumbnailLimits = ThumbnailLimits(),
            pause: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.tool = tool
            self.limits = limits
            self.pause = pause
        }

        /// Returns the path of the tool in the folders of a search path (`PATH`); `nil` if it is not found.
        package static func find(in path: String) -> String? {
            path.split(separator: ":").lazy.map { "\($0)/vipsthumbnail" }
                .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// Returns whether libvips reads the type with its own decoders or with ones that it trusts.
        package func canMake(_ type: MediaType) -> Bool {
            let known: [MediaType] = [.jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff]
            return known.contains(type)
        }

        package func thumbnail(of path: String) async throws(ThumbnailError) -> Thumbnail {
            do {
                return try await withThrowingTaskGroup(of: Thumbnail.self) { group in
                    group.addTask { try await run(path) }
                    group.addTask {
                        try await pause(limits.time)
                        throw ThumbnailError.tooSlow
                    }
                    // Cancels the remaining task; the process is ended with SIGKILL.
                    defer { group.cancelAll() }
                    guard let thumbnail = try await group.next() else { throw ThumbnailError.notMade }
                    return thumbnail
                }
            } catch let error as ThumbnailError {
                throw Task.isCancelled ? .cancelled : error
            } catch let error as SubprocessError where error.code == .outputLimitExceeded {
                throw .notMade
            } catch {
                throw Task.isCancelled ? .cancelled : .toolFailed("\(error)")
            }
        }

        /// Runs a shell that sets the limits, opens the file and replaces itself with the tool.
        private func run(_ path: String) async throws -> Thumbnail {
            let script = """
                ulimit -c 0 || exit 125
                ulimit -f 0 || exit 125
                ulimit -t "$1" || exit 125
                ulimit -v "$2" 2>/dev/null
                photo=$3
                shift 3
                exec "$@" <"$photo"
                """
            let size = "\(Thumbnail.edge)x\(Thumbnail.edge)>"
            let limits = ["-c", script, "thumbnail", "\(limits.processorSeconds)", "\(limits.memory / 1024)"]
            let tool = [
                tool, "stdin", "--size", size, "--export-profile", "srgb", "--vips-concurrency=1",
                // The vector code of libvips is generated into a file, which the limits forbid.
                "--vips-novector",
                "--output", ".jpg[Q=80,strip,background=255]",
            ]
            let words = { (words: [String]) in words.map { Array($0.utf8) + [0] } }
            let result = try await Subprocess.run(
                .name("sh"), arguments: Arguments(words(limits) + [LocalName.bytes(of: path)] + words(tool)),
                environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C", "VIPS_BLOCK_UNTRUSTED": "1"]),
                output: .bytes(limit: Thumbnail.sizeLimit + 1)
            )
            guard result.terminationStatus != .exited(125) else { throw ThumbnailError.toolFailed("cannot set limits") }
            guard result.terminationStatus == .exited(0),
                let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: result.standardOutput))
            else { throw ThumbnailError.notMade }
            return thumbnail
        }
    }

    /// The resource limits for one thumbnail.
    package struct ThumbnailLimits: Sendable {
        /// The address space, in bytes. Not enforced on macOS, which has no such limit.
        package var memory = 2 << 30
        package var processorSeconds = 20
        package var time = Duration.seconds(60)

        package init() {}
    }
#endif
