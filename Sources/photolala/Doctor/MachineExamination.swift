import Foundation
import PhotolalaClient

/// Checks what thumbnails and `sync --watch` need of this machine.
struct MachineExamination: Sendable {
    let tools: ThumbnailTools
    /// The number of folders that Linux watches for one user; `nil` elsewhere.
    let watchLimit: Int?

    static func ofThisMachine() async -> MachineExamination {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path
        let limit = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_user_watches", encoding: .utf8)
        return MachineExamination(
            tools: await ThumbnailTools.check(beside: program, in: path),
            watchLimit: limit.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    }

    var findings: [Finding] { [thumbnails] + [watch].compactMap(\.self) }

    private var thumbnails: Finding {
        switch tools {
        case .installed(ffmpeg: true): Finding("thumbnails", .ok, "libvips and ffmpeg make them")
        case .installed(ffmpeg: false):
            Finding("thumbnails", .warning, "videos get none: ffmpeg is not in the PATH", remedy: "Install ffmpeg")
        case .lacksProgram:
            Finding(
                "thumbnails", .warning, "none are made: photolala-thumbnailer is not found",
                remedy: "Install it beside photolala or in the PATH")
        case .lacksLibrary:
            Finding("thumbnails", .warning, "none are made: libvips is not found", remedy: ThumbnailToolLines.missing)
        case .failed(let detail): Finding("thumbnails", .warning, "none are made. \(detail)")
        }
    }

    private var watch: Finding? {
        watchLimit.map {
            Finding(
                "watch", .ok, "sync --watch sees changes in up to \($0) folders (fs.inotify.max_user_watches)")
        }
    }
}
