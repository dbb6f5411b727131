/// The version of this package's programs.
package enum PhotolalaVersion {
    /// Printed by `--version` of every program and logged when the server starts.
    package static let current = "0.1.0"
}
