import Foundation
import PhotolalaClient

/// Checks the profile folder, and changes nothing in it.
struct ProfileExamination: Sendable {
    let folder: String

    init(folder: String) { self.folder = PrivateFolder.target(of: folder) }

    /// Free space, in bytes, below which state may be lost soon.
    private static let (scarce, needed): (Int64, Int64) = (1 << 30, 16 << 20)

    /// - Returns: The findings, and whether the folder can be opened.
    func findings() -> (findings: [Finding], isUsable: Bool) {
        var found = stat()
        guard lstat(folder, &found) == 0 else {
            guard errno == ENOENT else { return ([failure(errno)], false) }
            let parent = existingParent
            guard access(parent, W_OK | X_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                let finding = Finding(
                    "profile", .problem, "\(folder) cannot be created: \(parent): \(reason)",
                    remedy: "Use --profile-dir")
                return ([finding], false)
            }
            return (
                [Finding("profile", .warning, "\(folder) does not exist", remedy: "Sign in: photolala signin")], false
            )
        }
        guard found.st_mode & S_IFMT == S_IFDIR else {
            return (
                [
                    Finding(
                        "profile", .problem, "\(folder) is \(PrivateFolder.otherKind(found))",
                        remedy: "Use --profile-dir")
                ], false
            )
        }
        let problems = unusable()
        guard problems.isEmpty else { return (problems, false) }
        guard access(folder, R_OK | W_OK | X_OK) == 0 else { return ([failure(errno)], false) }
        return ([Finding("profile", .ok, folder), space(), running()].compactMap(\.self), true)
    }

    /// The innermost parent folder that exists.
    private var existingParent: String {
        var parent = (folder as NSString).deletingLastPathComponent
        while parent.count > 1, access(parent, F_OK) != 0 { parent = (parent as NSString).deletingLastPathComponent }
        return parent
    }

    private func failure(_ code: CInt) -> Finding {
        let reason = String(cString: strerror(code))
        let remedy =
            code == EROFS ? "Mount it for writing, or use --profile-dir" : "Make it readable and writable for you"
        return Finding("profile", .problem, "\(folder): \(reason)", remedy: remedy)
    }

    /// Returns what is not private to this user or cannot be read.
    private func unusable() -> [Finding] {
        var findings: [Finding] = []
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for path in [folder] + names.map({ "\(folder)/\($0)" }) {
            var found = stat()
            guard lstat(path, &found) == 0, found.st_mode & S_IFMT != S_IFLNK else { continue }
            let isFolder = found.st_mode & S_IFMT == S_IFDIR
            if found.st_uid != geteuid() {
                findings.append(
                    Finding(
                        "profile", .problem, "\(path) belongs to another user",
                        remedy: "Run photolala as that user, or use --profile-dir"))
            } else if found.st_mode & 0o077 != 0 {
                let mode = String(found.st_mode & 0o777, radix: 8)
                findings.append(
                    Finding(
                        "profile", .problem, "\(path) has mode \(mode): others may have read it",
                        remedy: "Sign in again: photolala signin. If they have not: "
                            + SuggestedCommand.text("chmod \(isFolder ? 700 : 600) ?", path)))
            } else if access(path, R_OK) != 0 {
                findings.append(
                    Finding(
                        "profile", .problem, "\(path): \(String(cString: strerror(errno)))", remedy: "Make it readable")
                )
            }
        }
        return findings
    }

    private func space() -> Finding {
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else {
            return Finding("disk", .warning, "the free space is unknown: \(String(cString: strerror(errno)))")
        }
        let free = Int64(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
        guard free < Self.scarce else { return Finding("disk", .ok, "enough space") }
        return Finding(
            "disk", free < Self.needed ? .problem : .warning, "\(ByteText.text(free)) free for the profile",
            remedy: "Free space: the state of backups and syncs is kept there")
    }

    /// Names the processes that back up or sync with this profile, from the system's list of locks.
    private func running() -> Finding? {
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return nil }
        var inodes: Set<String> = []
        for case let name as String in FileManager.default.enumerator(atPath: "\(folder)/library") ?? .init() {
            var found = stat()
            if lstat("\(folder)/library/\(name)", &found) == 0 { inodes.insert(String(found.st_ino)) }
        }
        let processes = FileLocks.holders(of: inodes, in: locks)
        guard !processes.isEmpty else { return nil }
        return Finding(
            "running", .ok, "a backup or sync of this profile runs: process \(processes.joined(separator: ", "))")
    }
}

/// The locks of all processes, as of Linux's `/proc/locks`.
enum FileLocks {
    /// Returns the ids of the processes that have a lock on one of the files.
    static func holders(of inodes: Set<String>, in locks: String) -> [String] {
        var processes: Set<String> = []
        for line in locks.split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 6, words[1] == "FLOCK", let inode = words[5].split(separator: ":").last,
                inodes.contains(String(inode))
            else { continue }
            processes.insert(words[4])
        }
        return processes.sorted()
    }
}
