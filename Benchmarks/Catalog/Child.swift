import Foundation

/// Runs a program to its end and measures its cost.
enum Child {
    struct Cost {
        /// Seconds.
        let wall, cpu: Double
        /// MiB.
        let peak: Double

        static func median(of costs: [Cost]) -> Cost {
            func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
            return Cost(
                wall: middle(costs.map(\.wall)), cpu: middle(costs.map(\.cpu)), peak: middle(costs.map(\.peak)))
        }
    }

    struct Failure: Error {
        let status: CInt
    }

    /// - Parameter input: The text for standard input, passed through a file in `folder`.
    static func run(_ arguments: [String], input: String? = nil, in folder: URL? = nil) throws -> Cost {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input, let folder {
            let file = folder.appending(path: "input")
            try Data(input.utf8).write(to: file)
            posix_spawn_file_actions_addopen(&actions, 0, file.path, O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var (child, status, usage) = (pid_t(0), CInt(0), rusage())
        let start = ContinuousClock.now
        let error = posix_spawnp(&child, arguments[0], &actions, nil, &words, environ)
        guard error == 0 else { throw Failure(status: error) }
        guard wait4(child, &status, 0, &usage) == child, status == 0 else { throw Failure(status: status) }
        let wall = ContinuousClock.now - start
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return Cost(
            wall: Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18,
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak: Double(usage.ru_maxrss) / 1024
        )
    }
}
