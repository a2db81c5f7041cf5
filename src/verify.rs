//! An independent checker of solutions.
