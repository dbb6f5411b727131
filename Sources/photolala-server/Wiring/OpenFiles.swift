import Foundation

/// How many files and connections the system lets this process have open.
enum OpenFiles {
    /// Raises the limit to the most that the process may have. What the system refuses stays as it is.
    static func raiseLimit() {
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        #if canImport(Darwin)
            // More than this the kernel takes for nobody.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        _ = setrlimit(resource, &limit)
    }
}
