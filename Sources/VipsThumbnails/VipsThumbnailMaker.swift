#if os(Linux) || os(macOS)
    import Foundation
    import NIOCore
    import PhotoLibrary
    import Subprocess

    /// Makes thumbnails with libvips' `vipsthumbnail`, each in a process of its own.
    ///
    /// A photo may be made to take over whoever decodes it. So the process gets the file as its input and no path, answers on
    /// its output, may write no file, and has little memory and time; libvips leaves out the decoders that it does not trust
    /// itself. It runs as the same user, so files of this user are as safe as libvips is.
    package struct VipsThumbnailMaker: ThumbnailMaker {
        /// The tool's file.
        private let tool: String
        private let limits: ThumbnailLimits
        private let pause: @Sendable (Duration) async throws -> Void

        /// - Parameters:
        ///   - tool: where `vipsthumbnail` is.
        ///   - pause: how the time that one thumbnail may take passes.
        package init(
            tool: String, limits: ThumbnailLimits = ThumbnailLimits(),
            pause: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.tool = tool
            self.limits = limits
            self.pause = pause
        }

        /// Where the tool is, in the folders of a search path (`PATH`); `nil` when it is in none.
        package static func find(in path: String) -> String? {
            path.split(separator: ":").lazy.map { "\($0)/vipsthumbnail" }
                .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// What libvips reads with decoders of its own, or with ones that it trusts.
        package func makes(_ type: MediaType) -> Bool {
            let known: [MediaType] = [.jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff]
            return known.contains(type)
        }

        package func thumbnail(of place: String) async throws(ThumbnailError) -> Thumbnail {
            do {
                return try await withThrowingTaskGroup(of: Thumbnail.self) { group in
                    group.addTask { try await run(place) }
                    group.addTask {
                        try await pause(limits.time)
                        throw ThumbnailError.tooSlow
                    }
                    // Whoever is second is ended: the process by SIGKILL.
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

        /// The shell sets the limits, opens the file and becomes the tool.
        private func run(_ place: String) async throws -> Thumbnail {
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
                // Its vectors are code that is made in a file.
                "--vips-novector",
                "--output", ".jpg[Q=80,strip,background=255]",
            ]
            let words = { (words: [String]) in words.map { Array($0.utf8) + [0] } }
            let result = try await Subprocess.run(
                .name("sh"), arguments: Arguments(words(limits) + [LocalName.bytes(of: place)] + words(tool)),
                environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C", "VIPS_BLOCK_UNTRUSTED": "1"]),
                output: .bytes(limit: Thumbnail.sizeLimit + 1)
            )
            guard result.terminationStatus != .exited(125) else { throw ThumbnailError.toolFailed("no limits") }
            guard result.terminationStatus == .exited(0),
                let thumbnail = Thumbnail(jpeg: ByteBuffer(bytes: result.standardOutput))
            else { throw ThumbnailError.notMade }
            return thumbnail
        }
    }

    /// What the making of one thumbnail may take.
    package struct ThumbnailLimits: Sendable {
        /// Bytes of address space; not held on macOS, which has no such limit.
        package var memory = 2 << 30
        package var processorSeconds = 20
        package var time = Duration.seconds(60)

        package init() {}
    }
#endif
