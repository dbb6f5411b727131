/// The version of the programs in this package.
package enum PhotolalaVersion {
    /// The version that `--version` prints for every program and that the server logs at start.
    package static let current = "0.1.0"
}
