/// The patterns that are given for one operation on a folder, in addition to those of its ignore files.
package struct FolderFilter: Sendable, Equatable {
    /// Files and folders that match are ignored.
    package var excluded: IgnoreRules
    /// If there are patterns, only files that match, or are in a folder that matches, are not ignored.
    package var included: IgnoreRules

    package init(excluded: IgnoreRules = IgnoreRules(), included: IgnoreRules = IgnoreRules()) {
        (self.excluded, self.included) = (excluded, included)
    }
}
