import Logging

extension LogSettings {
    /// A logger that writes to standard error.
    func makeLogger(_ label: String) -> Logger {
        var logger = Logger(label: label) { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = level
        return logger
    }
}
