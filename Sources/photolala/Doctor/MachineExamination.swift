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
        case .installed(ffmpeg: true): Finding("thumbnails", .ok, "libvips and ffmpeg are available")
        case .installed(ffmpeg: false):
            Finding("thumbnails", .warning, "not created for videos: ffmpeg not found", remedy: "Install ffmpeg")
        case .lacksProgram:
            Finding(
                "thumbnails", .warning, "not created: photolala-thumbnailer not found",
                remedy: "Install it next to photolala or in a folder of $PATH")
        case .lacksLibrary:
            Finding("thumbnails", .warning, "not created: libvips not found", remedy: ThumbnailToolLines.missing)
        case .failed(let detail): Finding("thumbnails", .warning, "not created. \(detail)")
        }
    }

    private var watch: Finding? {
        watchLimit.map {
            Finding(
                "watch", .ok, "sync --watch can watch up to \($0) folders (fs.inotify.max_user_watches)")
        }
    }
}
