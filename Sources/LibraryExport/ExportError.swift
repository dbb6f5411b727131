/// An error of an export.
package enum ExportError: Error, Equatable, Sendable {
    /// More than a million photos are missing, damaged or not in the catalog.
    case tooManyDifferences
    /// The photos add up to more bytes than an archive can have, or their catalog is too large.
    case tooLarge
    /// The beginning of an archive is not that of an export.
    case malformed(String)
}
